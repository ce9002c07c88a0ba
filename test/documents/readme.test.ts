import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readSettings } from '../../lib/local/local-settings.ts';
import { welcome } from '../../lib/local/welcome.ts';
import { startStaff, store } from '../staff/staff.ts';
import { startContacts } from '../support/contacts.ts';
import { emailMessageOf } from '../support/email-message.ts';
import { blocksIn, sectionOf, tablesIn } from '../support/markdown.ts';

const readme = readFileSync('README.md', 'utf8');

const blocksBelow = (heading: string) => blocksIn(sectionOf(readme, heading));

/** What differs from run to run, as one of the README's. */
const sameRun = (output: string) =>
  output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z/g, '<time>');

const baseUrl = 'http://127.0.0.1:3000';
const [, shown = ''] = blocksBelow('Start it on your machine');

test.each(['npm ci && npm start', 'npm ci && npm test'])('the README names the command %s', (command) => {
  expect(readme).toContain(command);
});

test('the README shows what npm start prints, in its order', () => {
  const printed = welcome({
    baseUrl,
    siteOrigin: 'http://localhost:8080',
    inboxOrigin: 'http://localhost:8081',
    staffToken: 'crcs_…',
    settings: 'dev of lib/environments.ts',
    sites: ['http://localhost:8080'],
    isMarked: false,
    hasUncalledTargets: false,
  });
  // A line `…` stands for what is left out.
  const [first = '', last = ''] = shown.split('\n…\n');
  expect(printed.startsWith(`\n${first}\n`)).toBe(true);
  expect(printed.endsWith(`\n${last}`)).toBe(true);
});

test('the README sends what npm start suggests, and shows the responses', async () => {
  const service = await startContacts();
  const [command = '', response = ''] = blocksBelow('Try it');
  expect(shown).toContain(`\n  ${command}`);
  const [, body = ''] = /-d '(.*)'\n$/.exec(command) ?? [];
  const created = await service.create({ body, headers: { 'Content-Type': 'application/json' } });
  expect(sameRun(`HTTP/1.1 ${created.status} Created\n…\n${created.text}\n`)).toBe(sameRun(response));

  const [, list = ''] = blocksBelow('Read it from a script');
  expect(sameRun(`${(await service.list()).text}\n`)).toBe(sameRun(list));
});

test('npm start takes what the README writes into .env', () => {
  const [allowed = ''] = blocksBelow('Allow your page');
  const [notified = ''] = blocksBelow('Get notified');
  expect(readSettings(parseEnv(allowed + notified))).toMatchObject({
    SITE_ORIGINS: ['http://localhost:5500'],
    NOTIFY_EMAIL: ['me@example.com'],
  });
});

test('the README has the prices of a quiet site', () => {
  const costs = readFileSync('docs/costs.md', 'utf8');
  const [sums = []] = tablesIn(sectionOf(costs, 'Costs a month'));
  for (const [, quiet] of sums.slice(0, 2)) {
    expect(readme).toContain(`$${quiet}`);
  }
});

/** What the README's visitor fills in. */
const fields = { email: 'ada@example.com', message: 'Is the shop open on Sunday?', extra: { name: 'Ada Lovelace' } };
const site = 'http://localhost:5500';

test('the README has the subject and the reply address of the email', async () => {
  const contact = {
    id: 'cf705aa0-8b38-451e-80ac-e9e98f27a340',
    createdAt: '2026-11-24T22:20:40.977Z',
    site,
    ...fields,
  };
  const { subject, replyTo = [] } = await emailMessageOf(contact);
  const [, email = ''] = blocksBelow('Get notified');
  expect(email).toContain(`Reply-To: ${replyTo.map(({ address }) => address)}\nSubject: ${subject}\n`);
});

test('the README shows what contacts list prints', async () => {
  const staff = await startStaff();
  await store(staff, fields, { site });
  const [, listed = ''] = blocksBelow('Check that it works');
  const { stdout } = await staff.run(['contacts', 'list'], { terminals: ['stdout'] });
  expect(sameRun(stdout)).toBe(sameRun(listed));
});

test('the README shows what campaigns list --count prints', async () => {
  const staff = await startStaff();
  const [, listed = ''] = blocksBelow('See what a campaign brings');
  await staff.run(['campaigns', 'add', 'spring-sale']);
  await store(staff, { ...fields, campaign: 'spring-sale' });
  const { stdout } = await staff.run(['campaigns', 'list', '--count']);
  expect(sameRun(stdout)).toBe(sameRun(listed));
});
