import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { type EnvironmentInput, parseEnvironment, parseEnvironments } from '../../lib/infrastructure/settings.ts';
import { SettingsError } from '../../lib/settings-error.ts';
import { environments } from '../support/environments.ts';
import { bare, domainOfFull, fakeBundles, full, resourcesOf, synthesize, temporaryFolder } from './synthesize.ts';

const faultsOf = (inputs: Readonly<Record<string, object>>): string[] => {
  try {
    parseEnvironments(inputs);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
  return [];
};

const faultsIn = (settings: object) => faultsOf({ prod: { ...bare, ...settings } });

test.each(Object.entries<EnvironmentInput>({ ...environments, bare, full }))('accepts %s', (name, settings) => {
  expect(parseEnvironment(name, settings)).toMatchObject({ name, ...settings });
});

const throttle = { rate: 20, burst: 100 };

test('every setting but sites has a default', () => {
  expect(parseEnvironment('prod', { sites: [{ origin: 'https://www.example.com' }] })).toEqual({
    name: 'prod',
    sites: [{ origin: 'https://www.example.com', language: 'en' }],
    tags: {},
    spam: { traps: ['_gotcha', '_honey', 'bot-field', 'botcheck'] },
    extraFields: 'keep',
    throttles: { public: throttle, staff: throttle },
    webAcl: false,
    retainData: true,
    logRetentionDays: 90,
    alarmEmails: [],
    contactsAlarm: 500,
    tracing: false,
    domains: [],
    defaultEndpoint: true,
  });
});

test('names every unknown setting beside the other mistakes', () => {
  const notifications = { emails: ['a@example.com'], webhook: 1, slack: 2 };
  expect(faultsIn({ shape: 3, colour: {}, webAcl: 'yes', notifications }).sort()).toEqual([
    'Environment "prod": colour: unknown setting',
    'Environment "prod": notifications.from: is required with emails: write an address that gets mail, as in from: "contact@example.com"',
    'Environment "prod": notifications.slack: unknown setting',
    'Environment "prod": notifications.webhook: unknown setting',
    'Environment "prod": shape: unknown setting',
    'Environment "prod": webAcl: must be true or false',
  ]);
});

const { certificateArn } = domainOfFull;

const domain = (name: string, zone?: string) => ({
  name,
  certificateArn,
  ...(zone && { hostedZone: { id: 'Z1', name: zone } }),
});

const tables = { contacts: 'abc', campaigns: 'abd', tokens: 'abe' };

test.each<[fault: string, settings: object]>([
  ['account: must be 12 digits', { account: '123' }],
  ['region: must be a region such as "eu-central-1"', { region: 'Frankfurt' }],
  ['instance: must be a lower-case letter, then up to 19 letters or digits', { instance: 'my-shop' }],
  ['tags: must be an object, as in { CostCenter: "4711" }', { tags: 'CostCenter' }],
  ['tags.Owner: must be a string', { tags: { Owner: 1 } }],
  ['sites: must be a list of sites, as in [{ origin: "https://www.example.com" }]', { sites: 'https://a.example' }],
  ['sites.0: must be an object, as in { origin: "https://www.example.com" }', { sites: ['https://a.example'] }],
  ['sites.0.origin: is required', { sites: [{}] }],
  ['sites.0.url: unknown setting', { sites: [{ origin: 'https://www.example.com', url: '/' }] }],
  ['sites: has an origin twice', { sites: [bare.sites[0], bare.sites[0]] }],
  [
    'sites.0.thankYouUrl: "/thank-you" is not an absolute URL, such as "https://www.example.com/thank-you"',
    { sites: [{ origin: 'https://www.example.com', thankYouUrl: '/thank-you' }] },
  ],
  [
    'sites.0.language: must be one of "en", "de", "fr", "es"',
    { sites: [{ origin: 'https://www.example.com', language: 'English' }] },
  ],
  ['spam.traps: must be a list', { spam: { traps: 'fax' } }],
  ['spam.traps: has a duplicate', { spam: { traps: ['fax', 'Fax'] } }],
  ['spam.traps.0: must be a letter or "_", then up to 63 letters, digits, "_" or "-"', { spam: { traps: [''] } }],
  ...['email', 'idempotency-key', 'Idempotency-Key'].map((name): [string, object] => [
    `spam.traps.0: "${name}" is a field that people or scripts fill in: choose another name`,
    { spam: { traps: [name] } },
  ]),
  ['extraFields: must be one of "keep", "ignore"', { extraFields: true }],
  [
    'throttles.public.rate: must be a whole number from 1 to 10,000',
    { throttles: { public: { ...throttle, rate: 0 } } },
  ],
  ['throttles.staff.burst: is required', { throttles: { staff: { rate: 1 } } }],
  ['webAcl: must be true or false', { webAcl: 'yes' }],
  ['existingTables.tokens: is required', { retainData: true, existingTables: { contacts: 'abc', campaigns: 'abd' } }],
  [
    'existingTables: needs retainData: true, since CloudFormation imports only tables that outlive the stack',
    { retainData: false, existingTables: tables },
  ],
  ['retentionDays: must be a whole number from 1 to 3,650', { retentionDays: 1.5 }],
  [
    'logRetentionDays: must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653',
    { logRetentionDays: 2 },
  ],
  ['alarmEmails.0: "operations" is not an e-mail address', { alarmEmails: ['operations'] }],
  ['contactsAlarm: must be a whole number from 1 to 1,000,000', { contactsAlarm: 0 }],
  ['silenceAlarm: must be a whole number from 1 to 168', { silenceAlarm: 169 }],
  [
    'domains.0.name: "Contact.example.com" is not a host name in lower case, such as "contact.example.com"',
    { domains: [domain('Contact.example.com')] },
  ],
  [
    'domains.0.certificateArn: "abc" is not the ARN of a certificate (arn:aws:acm:<region>:<account>:certificate/<id>)',
    { domains: [{ name: 'contact.example.com', certificateArn: 'abc' }] },
  ],
  [
    'domains.0.hostedZone.id: must look like "Z0123456789ABC"',
    { domains: [{ ...domainOfFull, hostedZone: { id: '/hostedzone/Z1', name: 'example.com' } }] },
  ],
  ['domains.0: name is not in hostedZone.name', { domains: [domain('a.example.com', 'ample.com')] }],
  ['domains: has a name twice', { domains: [domain('a.example.com'), domain('a.example.com')] }],
  [
    'domains: a certificate is in another region than the environment',
    { region: 'eu-west-1', domains: [domain('a.example.com')] },
  ],
  ['defaultEndpoint: can be false only with domains: nothing else would answer', { defaultEndpoint: false }],
  ['retention: unknown setting', { retention: 30 }],
])('%s', (fault, settings) => {
  expect(faultsIn(settings)).toEqual([`Environment "prod": ${fault}`]);
});

test.each(['Prod', 'qa 1', '1st', ''])('an environment cannot have the name "%s"', (name) => {
  expect(faultsOf({ [name]: bare })).toEqual([
    `Environment "${name}": name: must be a lower-case letter, then up to 29 letters, digits or "-"`,
  ]);
});

test('reports all mistakes of all environments at once, a line for each', () => {
  expect(
    faultsOf({
      dev: { ...bare, retentionDays: 0, webAcl: 1, alarmEmails: ['a', 'b'] },
      'shop-prod': bare,
      prod: { ...bare, instance: 'shop' },
      qa: { ...bare, sites: 1 },
    }),
  ).toEqual([
    expect.stringContaining('"dev": webAcl'),
    expect.stringContaining('"dev": retentionDays'),
    expect.stringContaining('"dev": alarmEmails.0'),
    expect.stringContaining('"dev": alarmEmails.1'),
    expect.stringContaining('"qa": sites'),
    'Environments "shop-prod" and "prod": both have the stack ContactService-shop-prod: rename one',
  ]);
});

/** A hundred and twenty sites with ordinary names. */
const many = Array.from({ length: 120 }, (_, at) => ({ origin: `https://www.site-${at}.example` }));

test('refuses sites that do not fit into the variables of a function, and says what to shorten', () => {
  const create = (sites: object) => () =>
    createApp({ prod: { ...bare, sites } }, fakeBundles(), { outdir: temporaryFolder() });
  expect(create(many)).toThrow(
    /^ContactService-prod: the variables of the function create-contact have [78],\d{3} bytes, and Lambda accepts 4,096: shorten the URLs in sites and notifications, or move some to another environment$/,
  );
  expect(create(many.slice(0, 50))).not.toThrow();
});

test('accepts variables of 4 KB, whatever name AWS makes up for the table', () => {
  const create = (length: number) =>
    synthesize({
      prod: { ...bare, sites: [{ origin: 'https://a.test', thankYouUrl: `https://a.test/${'x'.repeat(length)}` }] },
    });
  const { CreateContact } = resourcesOf(create(0)('prod'), 'AWS::Lambda::Function');
  const named = JSON.stringify(CreateContact?.['Properties'].Environment.Variables, (_, value: unknown) =>
    // CloudFormation makes up shorter names.
    typeof value === 'object' && value !== null && 'Ref' in value ? 'x'.repeat(160) : value,
  );
  const left = 4096 - Buffer.byteLength(named);
  expect(() => create(left)).not.toThrow();
  expect(() => create(left + 1)).toThrow('have 4,097 bytes');
});

afterEach(() => {
  vi.doUnmock('../../lib/infrastructure/bundle.ts');
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test('`cdk` gets a line for a mistake, a failing exit code, and no stack', async () => {
  const bundles = fakeBundles();
  vi.doMock('../../lib/infrastructure/bundle.ts', async (original) => ({
    ...(await original<typeof import('../../lib/infrastructure/bundle.ts')>()),
    bundleFunctions: () => Promise.resolve(bundles),
  }));
  const file = join(temporaryFolder(), 'qa.json');
  writeFileSync(file, JSON.stringify({ qa: { ...bare, retentionDays: 0 } }));
  vi.stubEnv('CRCS_SETTINGS', file);
  const stderr = vi.spyOn(console, 'error').mockReturnValue();

  await import('../../bin/infrastructure.ts');

  expect(stderr.mock.calls).toEqual([['Environment "qa": retentionDays: must be a whole number from 1 to 3,650']]);
  expect(process.exitCode).toBe(1);
});

test('percent-encodes a thank-you URL for a header', () => {
  const sites = [{ origin: 'https://www.example.com', thankYouUrl: 'https://www.example.com/dziękuję?a=b' }];
  expect(parseEnvironment('x', { ...bare, sites }).sites).toMatchObject([
    { thankYouUrl: 'https://www.example.com/dzi%C4%99kuj%C4%99?a=b' },
  ]);
});

test.each([
  'https://www.example.com',
  'https://www.example.com:8443',
  'https://xn--mller-kva.example',
  'https://192.0.2.1',
  'http://localhost:8080',
  'http://127.0.0.1',
  'http://[::1]:3000',
])('accepts the origin %s', (origin) => {
  expect(faultsIn({ sites: [{ origin }] })).toEqual([]);
});

const asBrowsers = (origin: string) => `is not how browsers write an origin: write "${origin}"`;
const form = 'is not an origin: write scheme and host, as in "https://www.example.com"';
const noHost = 'has no valid host: write each host in full, without "*"';
const insecure = 'must begin with https:// (http:// is for localhost only)';

test.each([
  ['HTTPS://WWW.Example.com', asBrowsers('https://www.example.com')],
  ['https://www.example.com:443', asBrowsers('https://www.example.com')],
  ['https://www.example.com/', asBrowsers('https://www.example.com')],
  ['https://www.example.com/contact?a=b#c', asBrowsers('https://www.example.com')],
  ['https://müller.example', asBrowsers('https://xn--mller-kva.example')],
  ['www.example.com', form],
  ['file:///contact.html', form],
  ['null', form],
  ['*', form],
  ['', form],
  ['https://*.example.com', noHost],
  ['https://"example".com', noHost],
  ['http://www.example.com', insecure],
  ['http://localhost.example.com', insecure],
])('refuses the origin "%s", and says why', (origin, why) => {
  expect(faultsIn({ sites: [{ origin }] })).toEqual([`Environment "prod": sites.0.origin: "${origin}" ${why}`]);
});

const from = 'contact@example.com';

test.each<[fault: string, notifications: object]>([
  [
    '.from: is required with emails: write an address that gets mail, as in from: "contact@example.com"',
    { emails: ['a@example.com'] },
  ],
  ['.emails: has a duplicate', { from, emails: ['a@example.com', 'A@Example.com'] }],
  [': has no target: set emails, webhooks or both', { from, emails: [], webhooks: [] }],
  [
    '.webhooks: must be a list of webhooks, as in [{ url: "https://hooks.example.com/contact" }]',
    { webhooks: 'https://hooks.example.com/contact' },
  ],
  [
    '.webhooks.0: must be an object, as in { url: "https://hooks.example.com/contact" } or { format: "slack", secret: "slack-url" }',
    { webhooks: ['https://hooks.example.com/contact'] },
  ],
  ['.webhooks.0.url: is required', { webhooks: [{}] }],
  ['.webhooks.0.secret: unknown setting', { webhooks: [{ url: 'https://hooks.example.com/', secret: 'a' }] }],
  [
    '.webhooks.1.format: must be "slack", or missing for a signed webhook',
    { webhooks: [{ url: 'https://a.example/' }, { secret: 'a', format: 'teams' }] },
  ],
  [
    '.webhooks.0.url: is a URL of Slack: store it in Secrets Manager, and write { format: "slack", secret: "<the secret\'s name>" } instead',
    { webhooks: [{ url: 'https://hooks.slack.com/services/T0/B0/X0' }] },
  ],
  [
    '.webhooks.0.secret: is not the name of a secret: store the URL in Secrets Manager and write its name',
    { webhooks: [{ format: 'slack', secret: 'https://hooks.slack.com/services/T0/B0/X0' }] },
  ],
  ['.webhooks: has a duplicate', { webhooks: [{ url: 'https://a.example' }, { url: 'https://A.example/' }] }],
])('notifications%s', (fault, notifications) => {
  expect(faultsIn({ notifications })).toEqual([`Environment "prod": notifications${fault}`]);
});

const notUrl = 'is not a URL: write it in full, as in "https://hooks.example.com/contact"';

test.each([
  ['hooks.example.com', notUrl],
  ['ftp://hooks.example.com', notUrl],
  ['http://hooks.example.com', insecure],
  ['https://ada:secret@hooks.example.com', 'must not have a name or password before an "@"'],
])('refuses the URL "%s" of a webhook, says why, and does not show it', (url, why) => {
  expect(faultsIn({ notifications: { webhooks: [{ url }] } })).toEqual([
    `Environment "prod": notifications.webhooks.0.url: ${why}`,
  ]);
});

test.each([
  ['HTTPS://Hooks.Example.com:443/@contact', 'https://hooks.example.com/@contact'],
  ['https://müller.example', 'https://xn--mller-kva.example/'],
  ['http://[::1]:8123/', 'http://[::1]:8123/'],
])('calls the webhook %s as %s', (url, called) => {
  expect(parseEnvironment('x', { ...bare, notifications: { webhooks: [{ url }] } }).notifications).toEqual({
    emails: [],
    webhooks: [{ url: called }],
    existingIdentities: false,
    paused: false,
  });
});
