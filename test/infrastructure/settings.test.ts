import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { createApp } from '../../lib/infrastructure/app.ts';
import { EnvironmentError, type EnvironmentInput, parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { environments } from '../support/environments.ts';
import { bare, domainOfFull, fakeBundles, full, resourcesOf, synthesize, temporaryFolder } from './synthesize.ts';

const faultsOf = (settings: object, name = 'prod'): string[] => {
  try {
    parseEnvironment(name, { ...bare, ...settings });
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message.split('\n');
    throw error;
  }
  return [];
};

test.each(Object.entries<EnvironmentInput>({ ...environments, bare, full }))('%s is right', (name, settings) => {
  expect(parseEnvironment(name, settings)).toMatchObject({ name, ...settings });
});

test('what is not set has a safe default', () => {
  expect(parseEnvironment('bare', bare)).toEqual({
    ...bare,
    sites: [{ origin: 'https://www.example.com', language: 'en' }],
    name: 'bare',
    tags: {},
    honeypotField: ['website'],
    extraFields: 'keep',
    webAcl: false,
    alarmEmails: [],
    contactsAlarm: 500,
    tracing: false,
    reportLines: false,
    customDomains: [],
    defaultEndpoint: true,
    strictEndpointAccess: false,
  });
});

const { certificateArn } = domainOfFull;

const named = (name: string, zone?: string) => ({
  name,
  certificateArn,
  ...(zone && { hostedZone: { id: 'Z1', name: zone } }),
});

test.each<[fault: string, settings: object]>([
  ['account: must be 12 digits', { account: '123' }],
  ['region: must be a region such as "eu-central-1"', { region: 'Frankfurt' }],
  ['instance: must be a lower-case letter, then up to 19 letters or digits', { instance: 'my-shop' }],
  ['tags: must be an object, as in { CostCenter: "4711" }', { tags: 'CostCenter' }],
  ["tags.service: is the service's own: Service is what finds its stacks", { tags: { service: 'web' } }],
  ["tags.Instance: is the service's own: Instance is what finds its stacks", { tags: { Instance: 'shop' } }],
  ['tags.aws:x: begins with "aws:", which is for AWS alone', { tags: { 'aws:x': 'y' } }],
  ['tags.a*: is no key of a tag: up to 128 letters, digits, spaces and _ . : / = + - @', { tags: { 'a*': 'b' } }],
  ['tags.owner: is "Owner" again, for services that mind no case', { tags: { Owner: 'a', owner: 'b' } }],
  ['tags.Owner: must be 1 to 256 letters, digits, spaces and _ . : / = + - @', { tags: { Owner: '' } }],
  ['tags.Owner: must be a text', { tags: { Owner: 1 } }],
  ['tags: are more than 40', { tags: Object.fromEntries(Array.from({ length: 41 }, (_, each) => [`t${each}`, 'x'])) }],
  [
    'sites: must be a list of sites, as in [{ origin: "https://www.example.com" }]',
    { sites: 'https://www.example.com' },
  ],
  [
    'sites.0: must be an object of settings, as in { origin: "https://www.example.com" }',
    { sites: ['https://www.example.com'] },
  ],
  ['sites.0.origin: is missing', { sites: [{}] }],
  ['sites.0.url: is no setting', { sites: [{ origin: 'https://www.example.com', url: '/' }] }],
  [
    'sites.2.origin: is that of sites.0 again: list a site once',
    { sites: ['https://a.example', 'https://b.example', 'https://a.example'].map((origin) => ({ origin })) },
  ],
  [
    'sites.0.thankYouUrl: "/thank-you" is no absolute URL, such as "https://www.example.com/thank-you"',
    { sites: [{ origin: 'https://www.example.com', thankYouUrl: '/thank-you' }] },
  ],
  [
    'sites.0.language: must be one of "en", "de", "fr", "es"',
    { sites: [{ origin: 'https://www.example.com', language: 'English' }] },
  ],
  ['honeypotField: names none', { honeypotField: [] }],
  ['honeypotField: names one twice', { honeypotField: ['fax', 'fax'] }],
  ['honeypotField: names more than 10', { honeypotField: Array.from({ length: 11 }, (_, each) => `f${each}`) }],
  ['honeypotField.1: must be a text', { honeypotField: ['fax', 1] }],
  ['honeypotField: must be a text', { honeypotField: 1 }],
  ['extraFields: must be one of "keep", "ignore"', { extraFields: true }],
  ['honeypotField: must be a letter or "_", then up to 63 letters, digits, "_" or "-"', { honeypotField: '' }],
  [
    'throttles.public.rate: must be a whole number from 1 to 10,000',
    { throttles: { ...bare.throttles, public: { rate: 0, burst: 1 } } },
  ],
  ['throttles.staff: is missing', { throttles: { public: bare.throttles.public } }],
  ['webAcl: must be true or false', { webAcl: 'yes' }],
  ['retainData: must be true or false', { retainData: undefined }],
  ['existingTables.tokens: is missing', { retainData: true, existingTables: { contacts: 'abc', campaigns: 'abd' } }],
  [
    'existingTables.tokens: "my tokens" is no name of a table: write it as "aws dynamodb list-tables" does',
    { retainData: true, existingTables: { contacts: 'abc', campaigns: 'abd', tokens: 'my tokens' } },
  ],
  [
    'existingTables: names a table twice',
    { retainData: true, existingTables: { contacts: 'abc', campaigns: 'abd', tokens: 'abc' } },
  ],
  [
    'existingTables: needs retainData: true, since a stack takes in only tables that outlive it',
    { retainData: false, existingTables: { contacts: 'abc', campaigns: 'abd', tokens: 'abe' } },
  ],
  ['retentionDays: must be a whole number from 1 to 3,650', { retentionDays: 0 }],
  ['retentionDays: must be a whole number from 1 to 3,650', { retentionDays: 1.5 }],
  [
    'logRetentionDays: must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653',
    { logRetentionDays: 2 },
  ],
  ['alarmEmails.0: "operations" is no e-mail address', { alarmEmails: ['operations'] }],
  ['contactsAlarm: must be a whole number from 1 to 1,000,000', { contactsAlarm: 0 }],
  ['silenceAlarm: must be a whole number from 1 to 168', { silenceAlarm: 169 }],
  ['notifications: names no target: set emails, webhooks or both', { notifications: {} }],
  [
    'customDomains.0.name: "Contact.example.com" is no host name in lower case, such as "contact.example.com"',
    { customDomains: [named('Contact.example.com')] },
  ],
  [
    'customDomains.0.certificateArn: "abc" is no ARN of a certificate (arn:aws:acm:<region>:<account>:certificate/<id>)',
    { customDomains: [{ name: 'contact.example.com', certificateArn: 'abc' }] },
  ],
  [
    'customDomains.0.hostedZone.id: must look like "Z0123456789ABC"',
    { customDomains: [{ ...domainOfFull, hostedZone: { id: '/hostedzone/Z1', name: 'example.com' } }] },
  ],
  ['customDomains: must be a list', { customDomains: named('a.example.com') }],
  ['customDomains.0: name is not in hostedZone.name', { customDomains: [named('a.example.com', 'ample.com')] }],
  ['customDomains.0.defaultEndpoint: is no setting', { customDomains: [{ ...domainOfFull, defaultEndpoint: true }] }],
  [
    'customDomains.1.certificateArn: is of another region than the environment',
    {
      region: 'eu-central-1',
      customDomains: [
        named('a.example.com'),
        { name: 'b.example.com', certificateArn: certificateArn.replace('eu-central-1', 'eu-west-1') },
      ],
    },
  ],
  [
    'customDomains.1.name: "contact.example.com" is there before, or too much like what is',
    { customDomains: [named('contact.example.com'), named('contact.example.com')] },
  ],
  [
    'customDomains.1.name: "a-b.example.com" is there before, or too much like what is',
    { customDomains: [named('a.b.example.com'), named('a-b.example.com')] },
  ],
  [
    'customDomains: are more than two names: two at a time, for a move from one to the other',
    { customDomains: [named('a.example.com'), named('b.example.com'), named('c.example.com')] },
  ],
  ['defaultEndpoint: needs customDomains, since nothing else would answer', { defaultEndpoint: false }],
  ['strictEndpointAccess: must be true or false', { strictEndpointAccess: 'STRICT' }],
  ['retention: is no setting', { retention: 30 }],
])('%s', (fault, settings) => {
  expect(faultsOf(settings)).toEqual([`Environment "prod": ${fault}`]);
});

test.each(fieldNames)('the honeypot cannot be the field %s, which people fill', (honeypotField) => {
  expect(faultsOf({ honeypotField })).toEqual([
    `Environment "prod": honeypotField: "${honeypotField}" is a field of a contact request, which people fill: choose another name`,
  ]);
});

test.each(['Prod', 'qa 1', '1st', ''])('an environment cannot be called "%s"', (name) => {
  expect(faultsOf({}, name)).toEqual([
    `Environment "${name}": name: must be a lower-case letter, then up to 29 letters, digits or "-"`,
  ]);
});

test('all mistakes are told at once, a line for each', () => {
  expect(faultsOf({ retentionDays: 0, webAcl: 1, alarmEmails: ['a', 'b'] })).toHaveLength(4);
});

/** A hundred and twenty sites of ordinary names. */
const many = Array.from({ length: 120 }, (_, at) => ({ origin: `https://www.site-${at}.example` }));

test('more than Lambda tells a function is refused with what to shorten, before it is deployed', () => {
  const create = (sites: object) => () =>
    createApp({ prod: { ...bare, sites } }, fakeBundles(), { outdir: temporaryFolder() });
  expect(create(many)).toThrow(
    /^ContactService-prod: the variables of the function create-contact are [78],\d{3} bytes, 7,\d{3} of them SITES, and Lambda takes 4,096: shorten thankYouUrl of its sites, or give some sites an environment of their own$/,
  );
  expect(create(many.slice(0, 50))).not.toThrow();
});

test('a function is told as much as Lambda takes, whatever AWS will name its table', () => {
  const create = (length: number) =>
    synthesize({
      prod: { ...bare, sites: [{ origin: 'https://a.test', thankYouUrl: `https://a.test/${'x'.repeat(length)}` }] },
    });
  const { CreateContact } = resourcesOf(create(0)('prod'), 'AWS::Lambda::Function');
  const named = JSON.stringify(CreateContact?.['Properties'].Environment.Variables, (_, value: unknown) =>
    // As long as no name that CloudFormation makes up.
    typeof value === 'object' && value !== null && 'Ref' in value ? 'x'.repeat(160) : value,
  );
  const left = 4096 - Buffer.byteLength(named);
  expect(() => create(left)).not.toThrow();
  expect(() => create(left + 1)).toThrow('are 4,097 bytes');
});

test('a mistake in one environment stops the app', () => {
  const wrong = { dev: bare, prod: { ...bare, retentionDays: 0 } };
  expect(() => createApp(wrong, fakeBundles(), { outdir: temporaryFolder() })).toThrow(EnvironmentError);
});

afterEach(() => {
  vi.doUnmock('../../lib/infrastructure/bundle.ts');
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test('`cdk` gets one clear line and a failing exit code, no stack', async () => {
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

test('a thank-you URL of any script is written as it may stand in a header', () => {
  const sites = [{ origin: 'https://www.example.com', thankYouUrl: 'https://www.example.com/dziękuję?a=b' }];
  expect(parseEnvironment('x', { ...bare, sites }).sites).toEqual([
    {
      origin: 'https://www.example.com',
      thankYouUrl: 'https://www.example.com/dzi%C4%99kuj%C4%99?a=b',
      language: 'en',
    },
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
])('%s is the origin of a site', (origin) => {
  expect(faultsOf({ sites: [{ origin }] })).toEqual([]);
});

const asBrowsers = (origin: string) => `is not how browsers write an origin: write "${origin}"`;
const form = 'is no site origin: write scheme and host, as in "https://www.example.com"';
const noHost = 'names no host: write each host in full, without "*"';
const insecure = 'must begin with https:// (http:// is for localhost only)';

test.each([
  ['HTTPS://WWW.Example.com', asBrowsers('https://www.example.com')],
  ['https://www.example.com:443', asBrowsers('https://www.example.com')],
  ['http://localhost:80', asBrowsers('http://localhost')],
  ['https://www.example.com/', asBrowsers('https://www.example.com')],
  ['https://www.example.com/contact?a=b#c', asBrowsers('https://www.example.com')],
  ['https://ada@www.example.com', asBrowsers('https://www.example.com')],
  ['https://müller.example', asBrowsers('https://xn--mller-kva.example')],
  [' https://www.example.com', asBrowsers('https://www.example.com')],
  ['www.example.com', form],
  ['localhost:8080', form],
  ['file:///contact.html', form],
  ['null', form],
  ['*', form],
  ['', form],
  ['https://*.example.com', noHost],
  ['https://"example".com', noHost],
  ['http://www.example.com', insecure],
  ['http://localhost.example.com', insecure],
])('"%s" is no origin of a site, in one line that says why', (origin, why) => {
  expect(faultsOf({ sites: [{ origin }] })).toEqual([`Environment "prod": sites.0.origin: "${origin}" ${why}`]);
});

const from = 'contact@example.com';

test.each<[fault: string, notifications: object]>([
  [
    '.from: is missing: write the address that e-mails come from, one that gets mail, as in from: "contact@example.com"',
    { emails: ['a@example.com'] },
  ],
  ['.from: "Contact" is no e-mail address', { from: 'Contact', emails: ['a@example.com'] }],
  ['.emails.0: "@" is no e-mail address', { from, emails: ['@'] }],
  ['.emails: names one twice', { from, emails: ['a@example.com', 'a@example.com'] }],
  ['.emails: names one twice', { from, emails: ['a@example.com', 'A@Example.com'] }],
  [': names no target: set emails, webhooks or both', { from }],
  [': names no target: set emails, webhooks or both', { from, emails: [], webhooks: [] }],
  [
    ': names more than 20 targets: use a mailing list, or a program that passes notifications on',
    {
      from,
      emails: ['a@example.com'],
      webhooks: Array.from({ length: 20 }, (_, at) => ({ url: `https://hooks.example.com/${at}` })),
    },
  ],
  ['.existingIdentities: must be true or false', { from, emails: ['a@example.com'], existingIdentities: 'yes' }],
  [
    '.webhooks: must be a list of webhooks, as in [{ url: "https://hooks.example.com/contact" }]',
    { webhooks: 'https://hooks.example.com/contact' },
  ],
  [
    '.webhooks.0: must be an object of settings, as in { url: "https://hooks.example.com/contact" } or { format: "slack", secret: "slack-url" }',
    { webhooks: ['https://hooks.example.com/contact'] },
  ],
  ['.webhooks.0.url: is missing', { webhooks: [{}] }],
  ['.webhooks.0.secret: is no setting', { webhooks: [{ url: 'https://hooks.example.com/', secret: 'a' }] }],
  [
    '.webhooks.1.format: must be "slack", or missing for a signed webhook',
    { webhooks: [{ url: 'https://a.example/' }, { secret: 'a', format: 'teams' }] },
  ],
  [
    '.webhooks.0.url: is one of Slack: store it in Secrets Manager, and write { format: "slack", secret: "<the secret\'s name>" } instead',
    { webhooks: [{ url: 'https://hooks.slack.com/services/T0/B0/X0' }] },
  ],
  [
    '.webhooks.0.secret: is no name of a secret: store the URL in Secrets Manager and write its name',
    { webhooks: [{ format: 'slack', secret: 'https://hooks.slack.com/services/T0/B0/X0' }] },
  ],
  ['.webhooks: names one twice', { webhooks: [{ url: 'https://a.example' }, { url: 'https://A.example/' }] }],
  ['.webhooks: names one twice', { webhooks: [0, 1].map(() => ({ format: 'slack', secret: 'slack-url' })) }],
])('notifications%s', (fault, notifications) => {
  expect(faultsOf({ notifications })).toEqual([`Environment "prod": notifications${fault}`]);
});

test.each([
  ['hooks.example.com', 'is no URL: write it in full, as in "https://hooks.example.com/contact"'],
  ['', 'is no URL: write it in full, as in "https://hooks.example.com/contact"'],
  ['ftp://hooks.example.com', 'is no URL: write it in full, as in "https://hooks.example.com/contact"'],
  ['http://hooks.example.com', 'must begin with https:// (http:// is for localhost only)'],
  ['http://localhost.example.com', 'must begin with https:// (http:// is for localhost only)'],
  [
    'https://ada:secret@hooks.example.com',
    'has a name or password before an "@", which is not sent: a webhook is known by its signature',
  ],
  ['https://hooks.example.com/#contact', 'has a "#", and what follows it is never sent'],
  [`https://hooks.example.com/${'a'.repeat(1_975)}`, 'must be at most 2,000 characters long'],
  [`https://hooks.example.com/${'ä'.repeat(330)}`, 'must be at most 2,000 characters long'],
])('"%s" is no URL of a webhook, in one line that says why, and not the URL', (url, why) => {
  expect(faultsOf({ notifications: { webhooks: [{ url }] } })).toEqual([
    `Environment "prod": notifications.webhooks.0.url: ${why}`,
  ]);
});

test.each([
  ['https://hooks.example.com/contact?a=b', 'https://hooks.example.com/contact?a=b'],
  ['HTTPS://Hooks.Example.com:443/@contact', 'https://hooks.example.com/@contact'],
  ['https://müller.example', 'https://xn--mller-kva.example/'],
  ['http://localhost:8123/contact', 'http://localhost:8123/contact'],
  ['http://127.0.0.1:8123/', 'http://127.0.0.1:8123/'],
  ['http://[::1]:8123/', 'http://[::1]:8123/'],
])('%s is the URL of a webhook: it is called as %s', (url, called) => {
  expect(parseEnvironment('x', { ...bare, notifications: { webhooks: [{ url }] } }).notifications).toEqual({
    emails: [],
    webhooks: [{ url: called }],
    existingIdentities: false,
    paused: false,
  });
});

test.each(['idempotency-key', 'Idempotency-Key'])('the honeypot cannot be the field %s', (honeypotField) => {
  expect(faultsOf({ honeypotField })).toEqual([
    `Environment "prod": honeypotField: "${honeypotField}" is read as the key of a request, which scripts fill: choose another name`,
  ]);
});
