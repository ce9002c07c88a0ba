import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { bare, propertiesOfOnly, type Resources, resourcesOf, synthesize } from '../infrastructure/synthesize.ts';
import { sectionOf, tablesIn } from '../support/markdown.ts';

const document = readFileSync('docs/costs.md', 'utf8');

/** The first table below a heading. */
const tableBelow = (heading: string): string[][] => {
  const [rows = []] = tablesIn(sectionOf(document, heading));
  return rows.map((cells) => cells.map((cell) => cell.replaceAll('**', '')));
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

const arithmetic = tableBelow('The arithmetic').map(([part = '', formula = '', quiet, million]) => ({
  part,
  formula,
  isTotal: formula === '',
  amounts: { quiet: cents(quiet), million: cents(million) },
}));

/** @param name a part, or what stands before its colon */
const amountsOf = (name: string): Amounts =>
  arithmetic.find(({ part }) => part === name || part.startsWith(`${name}:`))?.amounts ??
  expect.fail(`There is no row ${name}`);

const without = amountsOf('Without notifications');
const notifying = amountsOf('With notifications');
const guarded = amountsOf('With notifications and the web ACL');
const everything = amountsOf('With all of these');
const ofWebAcl = sumOf(guarded, notifying, -1);
const ofConfirmations = sumOf(everything, guarded, -1);

const webhook = { url: 'https://hooks.example.com/contact' };
const otherWebhook = { url: 'https://hooks.example.com/sales' };

const notifications = { from: 'contact@example.com', emails: ['office@example.com'], webhooks: [webhook] };

const template = synthesize({
  bare,
  webhook: { ...bare, notifications: { webhooks: [webhook] } },
  webhooks: { ...bare, notifications: { webhooks: [webhook, otherWebhook] } },
  notifying: { ...bare, notifications },
  defended: { ...bare, notifications, spam: { proofOfWork: 'mark' } },
  confirming: { ...bare, notifications, spam: { proofOfWork: 'mark' }, confirmation: true },
  protected: { ...bare, webAcl: true },
  filing: { ...bare, notifications, spam: { proofOfWork: 'mark' }, files: {} },
});

/** CloudWatch charges for each metric that an alarm reads. @returns cents */
const priceOfAlarms = (environment: string): number =>
  10 *
  Object.values(resourcesOf(template(environment), 'AWS::CloudWatch::Alarm')).flatMap(
    ({ Properties }) =>
      Properties.Metrics?.filter(({ MetricStat }: Resources[string]) => MetricStat !== undefined) ?? [Properties],
  ).length;

const alarmsOfTarget = priceOfAlarms('webhooks') - priceOfAlarms('webhook');
const alarmsOfEmails = priceOfAlarms('notifying') - priceOfAlarms('webhooks');

/** The arithmetic has two targets. */
const queueOfTarget = amountsOf('SQS: 5 polls every 20 seconds').quiet / 2;
const ofTarget = queueOfTarget + alarmsOfTarget;

/** What the formulas of the arithmetic name. */
const names = { t: 2, M: 1e6, G: 1e9, L: 0.0000133334, min: Math.min };

test('each amount of the arithmetic is what its formula results in', () => {
  for (const { part, formula, isTotal, amounts } of arithmetic) {
    if (isTotal) continue;
    const centsFor = (sizes: { readonly n: number; readonly p: number }): number =>
      Math.round(
        100 * Number(runInNewContext(formula.replaceAll('`', '').replaceAll('×', '*'), { ...names, ...sizes })),
      );
    expect({ quiet: centsFor({ n: 100, p: 300 }), million: centsFor({ n: 1e6, p: 1e4 }) }, part).toEqual(amounts);
  }
});

test('the totals of the arithmetic are the sums of the parts above', () => {
  let sum = none;
  for (const { part, isTotal, amounts } of arithmetic) {
    if (isTotal) expect(amounts, part).toEqual(sum);
    else sum = sumOf(sum, amounts);
  }
  expect(sum).toEqual(everything);
});

test('the table of sums has the totals of the arithmetic', () => {
  const sums = tableBelow('Costs a month').map(([, quiet, million]) => ({
    quiet: cents(quiet),
    million: cents(million),
  }));
  expect(sums).toEqual([
    without,
    notifying,
    sumOf(without, ofWebAcl),
    guarded,
    sumOf(notifying, ofConfirmations),
    { quiet: 3 * without.quiet, million: Number.NaN },
  ]);
});

test('the notes on the table of sums have the figures of the arithmetic', () => {
  const notes = sectionOf(document, 'Costs a month');
  const unused = amountsOf('Alarms').quiet;
  const ofWebhook = amountsOf('Secret of the webhook and its reads').quiet + ofTarget;
  const atAll = notifying.quiet - without.quiet - ofWebhook - ofTarget - alarmsOfEmails;
  for (const amount of [unused, alarmsOfEmails, atAll]) expect(notes).toContain(`${amount} cents`);
  expect(notes).toContain(`${ofTarget} cents: ${queueOfTarget} for its queue, ${alarmsOfTarget} for alarms`);
  expect(notes).toContain(`$${((notifying.quiet - ofWebhook) / 100).toFixed(2)}`);
});

test('the arithmetic counts the alarms and the rules of the template', () => {
  const alarms = arithmetic.filter(({ part }) => /\balarms?$/i.test(part)).map(({ amounts }) => amounts.quiet);
  expect(alarms).toEqual([
    priceOfAlarms('bare'),
    priceOfAlarms('notifying') - priceOfAlarms('bare'),
    priceOfAlarms('protected') - priceOfAlarms('bare'),
    priceOfAlarms('confirming') - priceOfAlarms('defended'),
  ]);
  const { Rules } = propertiesOfOnly(template('protected'), 'AWS::WAFv2::WebACL');
  expect(amountsOf('Web ACL').quiet).toBe(500 + 100 * Rules.length);
});

test('the table of files has what its formulas result in, and their sum', () => {
  const rows = tableBelow('Files');
  const sums = [100, 10_000].map((n, at) => {
    const amounts = rows.slice(0, -1).map(([part, formula = '', ...given]) => {
      const dollars = Number(runInNewContext(formula.replaceAll('`', '').replaceAll('×', '*'), { ...names, n }));
      expect(cents(given[at]), part).toBe(Math.round(dollars * 100));
      return cents(given[at]);
    });
    return amounts.reduce((sum, amount) => sum + amount, 0);
  });
  const [total = []] = rows.slice(-1);
  expect(total.slice(2).map(cents)).toEqual(sums);
  const [ofAlarms = []] = rows.filter(([part]) => part === 'Alarms');
  expect(cents(ofAlarms[2])).toBe(priceOfAlarms('filing') - priceOfAlarms('defended'));
});

test('a flood of files costs what the limit of a day allows, and what refusals cost', () => {
  const { dailyMegabytes } = parseEnvironment('x', { ...bare, spam: { proofOfWork: 'mark' }, files: {} }).files ?? {};
  const gigabytes = (1.1 * Number(dailyMegabytes)) / 1_000;
  const files = gigabytes * 10_000;
  const stored = gigabytes * 0.09 + (files * (0.215 + 2 * 0.005)) / 1_000;
  const requests = 20 * 24 * 60 * 60;
  const refused = requests * ((3.5 + 0.2 + 0.78) / 1e6 + 0.5 * names.L);
  const text = sectionOf(document, 'Files').replaceAll(/\s+/g, ' ');
  expect(text).toContain(`$${stored.toFixed(1)}0 a day at the default`);
  expect(text).toContain(`$${Math.round(refused)} a day at the throttle of \`prod\``);
});

test('the chapter about the web ACL names its limits', () => {
  const { Rules } = propertiesOfOnly(template('protected'), 'AWS::WAFv2::WebACL');
  const limits = Rules.flatMap(({ Statement }: Resources[string]) => Statement.RateBasedStatement ?? []);
  const [posts, requests] = limits.map(({ Limit }: Resources[string]) => Limit.toLocaleString('en'));
  expect(sectionOf(document, 'The web ACL').replaceAll(/\s+/g, ' ')).toContain(
    `${posts} submissions and ${requests} requests of any kind in five minutes`,
  );
  expect(limits).toEqual(limits.map(() => expect.objectContaining({ EvaluationWindowSec: 5 * 60 })));
});

test('the settings and the chapter about the web ACL name its price without requests', () => {
  const price = `$${(ofWebAcl.quiet / 100).toFixed(2)} a month`;
  expect(sectionOf(document, 'The web ACL')).toContain(price);
  expect(readFileSync('docs/settings.md', 'utf8')).toContain(price);
});

test('a flood of repeats costs what its parts of the arithmetic add up to', () => {
  const perMillion = (name: string): number => {
    const { formula } =
      arithmetic.find(({ part }) => part.startsWith(`${name}:`) || part === name) ?? expect.fail(name);
    return Number(runInNewContext(formula.replaceAll('`', '').replaceAll('×', '*'), { ...names, n: 1e6, p: 0 }));
  };
  const requests = perMillion('API Gateway') + perMillion('Lambda') + perMillion('Logs, egress');
  const unit = perMillion('DynamoDB: writes to table and index, reads of list and token') / 2;
  const egressOfLarge = 70 * 1024 * 0.09e-3;
  const ofDay = (ofMillion: number) => `$${Math.round(((20 * 24 * 60 * 60) / 1e6) * ofMillion)}`;
  const rows = tableBelow('What a flood costs').filter(([what = '']) => /repeats|other content/.test(what));
  expect(rows.map(([, ...amounts]) => amounts)).toEqual([
    [ofDay(requests + unit), ofDay(requests + 70 * unit + egressOfLarge)],
    [ofDay(requests + unit), ofDay(requests + 70 * unit)],
  ]);
});

test('a flood of emails to one address costs what its parts of the arithmetic add up to', () => {
  // Two at a time, if each takes 250 ms.
  const perSecond = 8;
  expect(sectionOf(document, 'What one environment takes')).toContain(`${perSecond} a second`);
  const emails = perSecond * 24 * 60 * 60;
  // The arithmetic has two targets: an address and a webhook.
  const ofTwo = ['SQS', '`notify`'];
  const centsOfMillion =
    amountsOf('SES').million +
    amountsOf('`fan-out`').million +
    ofTwo.reduce((sum, part) => sum + amountsOf(part).million / 2, 0);
  const dollars = Math.round((emails / 1e6) * (centsOfMillion / 100));
  const flood = sectionOf(document, 'What a flood costs');
  for (const figure of [`${perSecond} a second`, emails.toLocaleString('en'), `$${dollars}`])
    expect(flood).toContain(figure);
  expect(readFileSync('docs/notifications.md', 'utf8')).toContain(`$${dollars} a day`);
});
