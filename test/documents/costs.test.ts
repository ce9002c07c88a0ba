import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bare, propertiesOfOnly, type Resources, resourcesOf, synthesize } from '../infrastructure/synthesize.ts';

const document = readFileSync('docs/costs.md', 'utf8');

/** The rows of the table below a heading, without its head: the cells of each. */
const rowsBelow = (heading: string): string[][] => {
  const [, chapter = ''] = document.split(`\n${heading}\n`);
  const [, table = ''] = /\n(\|.*?)\n\n/s.exec(chapter) ?? [];
  const rows = table.split('\n').map((row) => row.split('|').slice(1, -1));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim().replaceAll('**', '')));
};

/** In cents, which add up exactly. */
interface Amounts {
  readonly quiet: number;
  readonly million: number;
}

const cents = (dollars = ''): number => Math.round(Number.parseFloat(dollars) * 100);
const none: Amounts = { quiet: 0, million: 0 };
const sumOf = (one: Amounts, other: Amounts, sign = 1): Amounts => ({
  quiet: one.quiet + sign * other.quiet,
  million: one.million + sign * other.million,
});

const arithmetic = rowsBelow('## The arithmetic').map(([part = '', computation, quiet, million]) => ({
  part,
  isTotal: computation === '',
  amounts: { quiet: cents(quiet), million: cents(million) },
}));

const amountsOf = (part: string): Amounts =>
  arithmetic.find((row) => row.part === part)?.amounts ?? expect.fail(`There is no row ${part}`);

const without = amountsOf('Without notifications');
const notifying = amountsOf('With notifications');
const everything = amountsOf('With notifications and the web ACL');
const ofWebAcl = sumOf(everything, notifying, -1);

test('the totals of the arithmetic are the sums of the parts above', () => {
  let sum = none;
  for (const { part, isTotal, amounts } of arithmetic) {
    if (isTotal) expect(amounts, part).toEqual(sum);
    else sum = sumOf(sum, amounts);
  }
  expect(sum).toEqual(everything);
});

test('the table of sums has the totals of the arithmetic', () => {
  const sums = rowsBelow('## Costs a month').map(([, ...amounts]) => amounts.map(cents));
  const protectedToo = sumOf(without, ofWebAcl);
  expect(sums).toEqual([
    [without.quiet, protectedToo.quiet],
    [notifying.quiet, everything.quiet],
    [without.million, protectedToo.million],
    [notifying.million, everything.million],
  ]);
});

const template = synthesize({
  bare,
  notifying: {
    ...bare,
    notifications: {
      from: 'contact@example.com',
      emails: ['office@example.com'],
      webhooks: [{ url: 'https://hooks.example.com/contact' }],
    },
  },
  protected: { ...bare, webAcl: true },
});

/** CloudWatch charges for each metric that an alarm reads. */
const alarmMetricsOf = (environment: string): number =>
  Object.values(resourcesOf(template(environment), 'AWS::CloudWatch::Alarm')).flatMap(
    ({ Properties }) =>
      Properties.Metrics?.filter(({ MetricStat }: Resources[string]) => MetricStat !== undefined) ?? [Properties],
  ).length;

test('the arithmetic counts the alarms and the rules of the template', () => {
  const alarms = arithmetic.filter(({ part }) => /\balarms?$/i.test(part)).map(({ amounts }) => amounts.quiet / 10);
  expect(alarms).toEqual([
    alarmMetricsOf('bare'),
    alarmMetricsOf('notifying') - alarmMetricsOf('bare'),
    alarmMetricsOf('protected') - alarmMetricsOf('bare'),
  ]);
  const { Rules } = propertiesOfOnly(template('protected'), 'AWS::WAFv2::WebACL');
  expect(amountsOf('Web ACL').quiet).toBe(500 + 100 * Rules.length);
});

test('the settings and the chapter about the web ACL name its price without requests', () => {
  const price = `$${(ofWebAcl.quiet / 100).toFixed(2)} a month`;
  expect(document.split('\n## The web ACL\n')[1]).toContain(price);
  expect(readFileSync('docs/settings.md', 'utf8')).toContain(price);
});

test('a flood of emails to one address costs what its parts of the arithmetic add up to', () => {
  const [, perSecond] = /each target gets two at a time, about (\d+) a second/.exec(document) ?? [];
  const [, perDay, dollars] = /\[(?:\d+) a second\]\(\S+\), so ([\d,]+) a day for\s+\$(\d+)\./.exec(document) ?? [];
  const emails = Number(perSecond) * 24 * 60 * 60;
  expect(perDay).toBe(emails.toLocaleString('en'));
  // The arithmetic has two targets: an address and a webhook.
  const ofTwo = ['SQS: messages', '`notify`: invocations', '`notify`: time', '`notify`: reads'];
  const centsOfMillion =
    amountsOf('SES').million +
    amountsOf('`fan-out`').million +
    ofTwo.reduce((sum, part) => sum + amountsOf(part).million / 2, 0);
  expect(Number(dollars)).toBe(Math.round((emails / 1e6) * (centsOfMillion / 100)));
  expect(readFileSync('docs/notifications.md', 'utf8')).toContain(`at most $${dollars} a day`);
});
