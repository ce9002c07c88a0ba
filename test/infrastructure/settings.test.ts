import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { chatKinds } from '../../functions/notify/target.ts';
import { parseEnvironment, parseEnvironments } from '../../lib/infrastructure/settings.ts';
import { SettingsError } from '../../lib/shared/settings-error.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bare, domainOfFull, full } from './synthesize.ts';

const errorsOf = (inputs: Readonly<Record<string, object>>): string[] => {
  try {
    parseEnvironments(inputs);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
  return [];
};

const errorsIn = (settings: object) => errorsOf({ prod: { ...bare, ...settings } });

test('accepts every setting', () => {
  expect(parseEnvironment('full', full)).toMatchObject({ name: 'full', ...full });
});

test('an email target can be an address alone', () => {
  const notifications = { from: 'contact@example.com', emails: ['me@example.com'] };
  expect(parseEnvironment('prod', { ...bare, notifications }).notifications?.emails).toEqual([
    { to: 'me@example.com' },
  ]);
});

const throttle = { rate: 20, burst: 100 };

test('by default, an environment keeps its data and extra fields', () => {
  const settings = parseEnvironment('prod', { sites: [{ origin: 'https://www.example.com' }] });
  expect(settings).toMatchObject({ retainData: true, extraFields: 'keep' });
  expect(settings).not.toHaveProperty('retentionDays');
});

test('names every unknown setting beside the other errors', () => {
  const notifications = { emails: ['a@example.com'], webhook: 1, slack: 2 };
  expect(errorsIn({ shape: 3, colour: {}, webAcl: 'yes', notifications }).sort()).toEqual([
    'Environment "prod": colour: unknown setting',
    'Environment "prod": notifications.from: is required with emails: write an address that receives email, as in from: "contact@example.com"',
    'Environment "prod": notifications.slack: unknown setting',
    'Environment "prod": notifications.webhook: unknown setting',
    'Environment "prod": shape: unknown setting',
    'Environment "prod": webAcl: must be true or false',
  ]);
});

const site = bare.sites[0];

test.each<[error: string, settings: object]>([
  ['account: must be 12 digits', { account: '123' }],
  ['region: must be a region such as "eu-central-1"', { region: 'Frankfurt' }],
  ['tags: must be an object, as in { CostCenter: "4711" }', { tags: 'CostCenter' }],
  ['sites: must be a list of sites, as in [{ origin: "https://www.example.com" }]', { sites: 'https://a.example' }],
  ['sites.0.origin: is required', { sites: [{}] }],
  ['sites: has a duplicate, "https://www.example.com": remove one', { sites: [site, site] }],
  [
    'inboxOrigins: must be a list of origins, as in ["https://inbox.example.com"]',
    { inboxOrigins: 'https://inbox.example.com' },
  ],
  [
    'inboxOrigins.0: "https://inbox.example.com/" must be written as browsers send it: "https://inbox.example.com"',
    { inboxOrigins: ['https://inbox.example.com/'] },
  ],
  [
    'inboxOrigins: has a duplicate, "https://inbox.example.com": remove one',
    { inboxOrigins: ['https://inbox.example.com', 'https://inbox.example.com'] },
  ],
  [
    'inboxOrigins: has an origin that is also in sites: serve the inbox from an origin of its own, such as "https://inbox.example.com"',
    { inboxOrigins: ['https://inbox.example.com', site?.origin] },
  ],
  [
    'sites.0.thankYouUrl: "/thanks" is not an absolute URL, such as "https://www.example.com/thank-you"',
    { sites: [{ ...site, thankYouUrl: '/thanks' }] },
  ],
  ['sites.0.language: must be one of "en", "de", "fr", "es"', { sites: [{ ...site, language: 'English' }] }],
  ['spam.traps: has a duplicate, "fax": remove one', { spam: { traps: ['fax', 'Fax'] } }],
  [
    'spam.traps.0: must start with a letter or "_", followed by at most 63 letters, digits, "_" or "-"',
    { spam: { traps: [''] } },
  ],
  ...['email', 'Idempotency-Key', 'UTM_campaign'].map((name): [string, object] => [
    `spam.traps.0: "${name}" is a field that people or scripts fill in: choose another name`,
    { spam: { traps: [name] } },
  ]),
  ['spam.requireTrap: requires at least one name in traps', { spam: { traps: [], requireTrap: true } }],
  ['spam.proofOfWork: must be one of "off", "mark"', { spam: { proofOfWork: 'reject' } }],
  ['spam.proofBits: requires proofOfWork: "mark"', { spam: { proofBits: 17 } }],
  ...[7, 25, 17.5].map((proofBits): [string, object] => [
    'spam.proofBits: must be a whole number from 8 to 24',
    { spam: { proofOfWork: 'mark', proofBits } },
  ]),
  [
    'spam.captcha: must be an object, as in { provider: "turnstile", secret: "turnstile-key" }',
    { spam: { captcha: 'turnstile' } },
  ],
  [
    'spam.captcha.provider: must be one of "turnstile", "hcaptcha", "recaptcha"',
    { spam: { captcha: { provider: 'akismet', secret: 'a' } } },
  ],
  [
    'spam.captcha.secret: must be the name of a secret in Secrets Manager that holds the secret key',
    { spam: { captcha: { provider: 'turnstile', secret: 1 } } },
  ],
  [
    'spam.captcha.secret: is not the name of a secret: store the secret key in Secrets Manager, and write the name of that secret',
    { spam: { captcha: { provider: 'turnstile', secret: 'my key' } } },
  ],
  ...[`0x4AAAAAAA${'b'.repeat(25)}`, `ES_${'0'.repeat(32)}`, `0x${'0'.repeat(40)}`, `6Le${'c'.repeat(37)}`].map(
    (secret): [string, object] => [
      'spam.captcha.secret: is the secret key itself: store it in Secrets Manager, and write the name of that secret',
      { spam: { captcha: { provider: 'turnstile', secret } } },
    ],
  ),
  [
    'throttles.public.rate: must be a whole number from 1 to 10,000',
    { throttles: { public: { ...throttle, rate: 0 } } },
  ],
  [
    'existingTables: requires retainData: true, because CloudFormation imports only tables that outlive the stack',
    { retainData: false, existingTables: { contacts: 'a', campaigns: 'b', tokens: 'c' } },
  ],
  ['retentionDays: must be a whole number from 1 to 3,650', { retentionDays: 1.5 }],
  [
    'logRetentionDays: must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653',
    { logRetentionDays: 2 },
  ],
  ['alarmEmails.0: "operations" is not an email address', { alarmEmails: ['operations'] }],
  ['alarmEmails.0: "ops@localhost" is not an email address', { alarmEmails: ['ops@localhost'] }],
  ...['docs/runbook.md', 'https://wiki.example.com/#runbook'].map((runbookUrl): [string, object] => [
    `runbookUrl: "${runbookUrl}" is not an absolute URL without "#", such as "https://wiki.example.com/runbook"`,
    { runbookUrl },
  ]),
  ['silenceAlarm: must be a whole number from 1 to 168', { silenceAlarm: 169 }],
  ['defaultEndpoint: can be false only with domains, because otherwise no URL would work', { defaultEndpoint: false }],
])('%s', (error, settings) => {
  expect(errorsIn(settings)).toEqual([`Environment "prod": ${error}`]);
});

test.each<[error: string, domain: object]>([
  [
    '.0.name: "Contact.example.com" is not a host name in lower case, such as "contact.example.com"',
    { name: 'Contact.example.com', hostedZone: undefined },
  ],
  [
    '.0.certificateArn: "abc" is not the ARN of a certificate (arn:aws:acm:<region>:<account>:certificate/<id>)',
    { certificateArn: 'abc' },
  ],
  ['.0.hostedZone.id: must look like "Z0123456789ABC"', { hostedZone: { id: '/Z1', name: 'example.com' } }],
  ['.0: name must be hostedZone.name or a name below it', { hostedZone: { id: 'Z1', name: 'ample.com' } }],
])('domains%s', (error, domain) => {
  const domains = [{ ...domainOfFull, ...domain }];
  expect(errorsIn({ domains })).toEqual([`Environment "prod": domains${error}`]);
});

test('domains: has a duplicate', () => {
  expect(errorsIn({ domains: [domainOfFull, domainOfFull] })).toEqual([
    'Environment "prod": domains: has a duplicate, "contact.example.com": remove one',
  ]);
});

const nameRule = 'use 1 to 64 characters, without control characters, and without spaces at either end';
const long = 'x'.repeat(65);
const oneLine = 'must be one line of 1 to 150 characters';

test.each<[error: string, forms: unknown]>([
  ['forms: must be an object, as in { newsletter: { required: ["email"] } }', 'newsletter'],
  ['forms.sales: must be an object, as in { required: ["email"] }', { sales: 'me@example.com' }],
  ['forms.sales.emails: unknown setting', { sales: { emails: [] } }],
  ['forms.sales.0: unknown setting', { sales: ['email'] }],
  [`forms.: "" is not the name of a form: ${nameRule}`, { '': {} }],
  [`forms.${long}: "${long}" is not the name of a form: ${nameRule}`, { [long]: {} }],
  [`forms. sales: " sales" is not the name of a form: ${nameRule}`, { ' sales': {} }],
  [`forms.a\\nb: "a\\nb" is not the name of a form: ${nameRule}`, { 'a\nb': {} }],
  ['forms.sales.required: must be a list of fields, as in ["email"]', { sales: { required: 'email' } }],
  ['forms.sales.required: has a duplicate, "email": remove one', { sales: { required: ['email', 'email'] } }],
  [
    'forms.sales.required.0: "email|name" is not one field: write one, or "email|phone" for either of these',
    { sales: { required: ['email|name'] } },
  ],
  ...['_next', 'form-name', '_proof', 'access_key', 'idempotency-key'].map((name): [string, object] => [
    `forms.sales.required.0: "${name}" is not for visitors: write a field that they fill in`,
    { sales: { required: [name] } },
  ]),
  [
    'forms: requires a trap, which visitors leave empty: remove it from required',
    { sales: { required: ['email', '_gotcha'] } },
  ],
  [
    `forms.sales.required.1: " topic" is not the name of a field: ${nameRule}`,
    { sales: { required: ['a', ' topic'] } },
  ],
  [
    'forms.sales.thankYouUrl: "/thanks" is not an absolute URL, such as "https://www.example.com/thank-you"',
    { sales: { thankYouUrl: '/thanks' } },
  ],
  ...['An order\nBcc: eve@example.com', 'An order\u2028', ' ', '', '😀'.repeat(76)].map((subject): [string, object] => [
    `forms.sales.subject: ${oneLine}`,
    { sales: { subject } },
  ]),
])('%s', (error, forms) => {
  expect(errorsIn({ forms })).toEqual([`Environment "prod": ${error}`]);
});

test.each<[error: string, required: unknown]>([
  ['required: must be a list of fields, as in ["email"]', 'email'],
  ['required.0: "_next" is not for visitors: write a field that they fill in', ['_next']],
  ['required: has a trap, which visitors leave empty: remove it', ['email', '_gotcha']],
])('%s', (error, required) => {
  expect(errorsIn({ required })).toEqual([`Environment "prod": ${error}`]);
});

test('nothing can be required, in an environment and in a form', () => {
  expect(errorsIn({ required: [], forms: { poll: { required: [] } } })).toEqual([]);
});

test("normalises a form's name as the service does", () => {
  const notifications = { from: 'a@example.com', emails: [{ to: 'a@example.com', forms: ['caf\u00e9'] }] };
  const { forms } = parseEnvironment('prod', { ...bare, forms: { 'cafe\u0301': {} }, notifications });
  expect(Object.keys(forms)).toEqual(['caf\u00e9']);
});

test.each(['Prod', 'qa 1', '1st', ''])('an environment cannot have the name "%s"', (name) => {
  expect(errorsOf({ [name]: bare })).toEqual([
    `Environment "${name}": name: must start with a lower-case letter, followed by at most 29 lower-case letters, digits or "-"`,
  ]);
});

test('reports all errors of all environments at once, a line for each', () => {
  expect(
    errorsOf({
      dev: { ...bare, retentionDays: 0, webAcl: 1, alarmEmails: ['a', 'b'] },
      qa: { ...bare, sites: 1 },
    }),
  ).toEqual([
    expect.stringContaining('"dev": retentionDays'),
    expect.stringContaining('"dev": webAcl'),
    expect.stringContaining('"dev": alarmEmails.0'),
    expect.stringContaining('"dev": alarmEmails.1'),
    expect.stringContaining('"qa": sites'),
  ]);
});

afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

test('`cdk` gets a line for an error, and a failing exit code', async () => {
  const file = join(temporaryFolder(), 'qa.json');
  writeFileSync(file, JSON.stringify({ qa: { ...bare, retentionDays: 0 } }));
  vi.stubEnv('CRCS_SETTINGS', file);
  const stderr = vi.spyOn(console, 'error').mockReturnValue();

  await import('../../bin/infrastructure.ts');

  expect(stderr.mock.calls).toEqual([['Environment "qa": retentionDays: must be a whole number from 1 to 3,650']]);
  expect(process.exitCode).toBe(1);
  stderr.mockRestore();
});

test('percent-encodes the URL of a success page for a header', () => {
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
  expect(errorsIn({ sites: [{ origin }] })).toEqual([]);
});

const insecure = 'must begin with https:// (http:// is for localhost only)';

test.each([
  ['HTTPS://WWW.Example.com', 'must be written as browsers send it: "https://www.example.com"'],
  ['https://www.example.com/contact?a=b#c', 'must be written as browsers send it: "https://www.example.com"'],
  ['https://müller.example', 'must be written as browsers send it: "https://xn--mller-kva.example"'],
  ['www.example.com', 'is not an origin: write a scheme and a host, as in "https://www.example.com"'],
  ['null', 'is not an origin: write a scheme and a host, as in "https://www.example.com"'],
  ['https://*.example.com', 'has no valid host: write each host in full, without "*"'],
  ['https://"example".com', 'has no valid host: write each host in full, without "*"'],
  ['http://localhost.example.com', insecure],
])('refuses the origin "%s", and says why', (origin, why) => {
  expect(errorsIn({ sites: [{ origin }] })).toEqual([`Environment "prod": sites.0.origin: "${origin}" ${why}`]);
});

test('a form can be required to send its campaign', () => {
  expect(errorsIn({ required: ['utm_campaign'] })).toEqual([]);
});

test.each([[['fax']], [['fax', 'website']]])('a form can be required to send one of the traps %j', (traps) => {
  expect(errorsIn({ spam: { traps, requireTrap: true } })).toEqual([]);
});

const from = 'contact@example.com';
const hook = 'https://hooks.example.com/contact';
const anyChat = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(chatKinds.map((kind) => `"${kind}"`));

const asSender =
  'must be an address, or a name and an address in angle brackets, as in "Contact form <contact@example.com>"';
const unencoded =
  'must have the name as people read it, without quotation marks, backslashes and "=?": the service encodes it';

test.each([
  ['operations', 'is not an email address'],
  ['Contact form', asSender],
  ['Contact form <a@example.com', asSender],
  ['Contact form a@example.com>', asSender],
  ['Contact form <a@example.com> <b@example.com>', asSender],
  ['Contact form <a@example.com>, b@example.com', asSender],
  ['Contact form <a b@example.com>', asSender],
  ['Contact form <>', asSender],
  ['<a@example.com>', 'has no name: write the address without angle brackets'],
  ['"Contact form" <a@example.com>', unencoded],
  ['Contact\\form <a@example.com>', unencoded],
  ['=?utf-8?Q?B=C3=BCro?= <a@example.com>', unencoded],
  // Amazon SES takes 320 characters. The name gets quotation marks.
  [`${'x'.repeat(303)} <a@example.com>`, 'is too long for Amazon SES: shorten the name'],
  [`${'ü'.repeat(120)} <a@example.com>`, 'is too long for Amazon SES: shorten the name'],
])('refuses the sender %j, and says why', (sender, why) => {
  expect(errorsIn({ notifications: { from: sender, emails: ['a@example.com'] } })).toEqual([
    `Environment "prod": notifications.from: "${sender}" ${why}`,
  ]);
});

test('refuses a line break in the sender, which would begin another header, and shows it escaped', () => {
  const sender = 'Contact form\r\nBcc: eve@example.com <a@example.com>';
  expect(errorsIn({ notifications: { from: sender, emails: ['a@example.com'] } })).toEqual([
    `Environment "prod": notifications.from: ${JSON.stringify(sender)} has a line break or another control character: remove it`,
  ]);
});

test.each([
  'a@example.com',
  'Contact form <a@example.com>',
  `${'x'.repeat(302)} <a@example.com>`,
  'O’Neill & Søn, Ltd. (sales) <a@example.com>',
])('accepts the sender %s', (sender) => {
  expect(errorsIn({ notifications: { from: sender, emails: ['a@example.com'] } })).toEqual([]);
});

test.each<[error: string, notifications: object]>([
  [
    'from: is required with emails: write an address that receives email, as in from: "contact@example.com"',
    { emails: ['a@example.com'] },
  ],
  ['emails: must be a list of addresses, as in ["me@example.com"]', { from, emails: 'a@example.com' }],
  ['emails.0: "operations" is not an email address', { from, emails: ['operations'] }],
  ['emails.0.to: "operations" is not an email address', { from, emails: [{ to: 'operations' }] }],
  ['emails.0.to: is required', { from, emails: [{ forms: ['sales'] }] }],
  ['emails.0.form: unknown setting', { from, emails: [{ to: 'a@example.com', form: 'sales' }] }],
  [
    'emails.0.forms: is empty: add a name, or remove this setting',
    { from, emails: [{ to: 'a@example.com', forms: [] }] },
  ],
  ['emails.0.forms: must be a list, as in ["sales"]', { from, emails: [{ to: 'a@example.com', forms: 'sales' }] }],
  [
    'webhooks.0.sites: must be a list, as in ["https://shop.example.com"]',
    { webhooks: [{ url: hook, sites: 'https://a.example' }] },
  ],
  [
    `emails.0.forms.0: "sales " is not the name of a form: ${nameRule}`,
    { from, emails: [{ to: 'a@example.com', forms: ['sales '] }] },
  ],
  [
    'emails: has a duplicate, "a@example.com": write one entry for each address',
    { from, emails: ['a@example.com', { to: 'A@Example.com', forms: ['sales'] }] },
  ],
  ['webhooks.0.sites: is empty: add a name, or remove this setting', { webhooks: [{ url: hook, sites: [] }] }],
  [
    `webhooks.0: must be an object, as in { url: "${hook}" } or { format: "slack", secret: "slack-url" }`,
    { webhooks: [hook] },
  ],
  ['emails.0.spam: must be true or false', { from, emails: [{ to: 'a@example.com', spam: 'only' }] }],
  ['webhooks.0.spam: only addresses in emails can have spam', { webhooks: [{ url: hook, spam: true }] }],
  ['webhooks.0.secret: unknown setting', { webhooks: [{ url: hook, secret: 'a' }] }],
  [
    `webhooks.1.format: must be ${anyChat}; leave it out for a signed webhook`,
    { webhooks: [{ url: hook }, { secret: 'a', format: 'teams' }] },
  ],
  [`webhooks.0: format is missing: ${anyChat}`, { webhooks: [{ secret: 'slack-url' }] }],
  [
    `webhooks.0: its url is a Slack URL: store it in Secrets Manager, and write { format: "slack", secret: "<the secret's name>" } instead`,
    { webhooks: [{ format: 'slack', url: hook }] },
  ],
  [
    "webhooks.0.secret: is an ARN: write the secret's name",
    { webhooks: [{ format: 'slack', secret: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:a-AbCdEf' }] },
  ],
  [
    'webhooks.0.url: is that of a test deployment, which works only for you: deploy the script, and write the URL that ends in /exec',
    { webhooks: [{ url: 'https://script.google.com/macros/s/AKfycb/dev?key=a' }] },
  ],
  [
    'webhooks.0.secret: is not the name of a secret: store the URL in Secrets Manager, and write the name of that secret',
    { webhooks: [{ format: 'slack', secret: 'https://hooks.slack.com/services/T0/B0/X0' }] },
  ],
  [
    'webhooks: has a duplicate, "https://a.example?…": write one entry for each URL and each secret',
    { webhooks: [{ url: 'https://a.example/?key=a' }, { url: 'https://A.example/?key=a', forms: ['sales'] }] },
  ],
  [
    'webhooks: has a duplicate, "secret a": write one entry for each URL and each secret',
    {
      webhooks: [
        { format: 'slack', secret: 'a' },
        { format: 'slack', secret: 'a', forms: ['sales'] },
      ],
    },
  ],
])('notifications.%s', (error, notifications) => {
  expect(errorsIn({ notifications })).toEqual([`Environment "prod": notifications.${error}`]);
});

const shop = 'https://shop.example.com';
const other = 'https://www.example.com';
const lacks = (condition: string, name: string) =>
  `${condition} has "${name}", but ${condition.split('.').at(-1)} of the environment does not: correct the name, or add it to ${condition.split('.').at(-1)}`;

test.each<[errors: string[], forms: object, notifications: object]>([
  [
    [lacks('emails.1.forms', 'sale')],
    { sales: {} },
    { emails: ['b@example.com', { to: 'a@example.com', forms: ['sale'] }] },
  ],
  [[], {}, { emails: [{ to: 'a@example.com', forms: ['sale'] }] }],
  [
    [lacks('emails.0.forms', 'Sales'), lacks('webhooks.0.sites', shop), lacks('webhooks.1.forms', 'jobs')],
    { sales: {} },
    {
      emails: [{ to: 'a@example.com', forms: ['sales', 'Sales'], sites: [other] }],
      webhooks: [
        { url: hook, sites: [other, shop] },
        { format: 'slack', secret: 'a', forms: ['jobs'] },
      ],
    },
  ],
  [[lacks('emails.0.sites', shop)], {}, { emails: [{ to: 'a@example.com', forms: ['sales'], sites: [shop] }] }],
])('a condition names a form or site that the environment does not have: %j', (errors, forms, notifications) => {
  const expected = errors.length === 0 ? [] : [`Environment "prod": notifications: ${errors.join('; ')}`];
  expect(errorsIn({ forms, notifications: { from, ...notifications } })).toEqual(expected);
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/X0', 'Slack', 'slack'],
  ['https://discord.com/api/webhooks/1/token', 'Discord', 'discord'],
  ['https://ptb.discord.com/api/webhooks/1/token', 'Discord', 'discord'],
  ['https://canary.discordapp.com/api/webhooks/1/token', 'Discord', 'discord'],
  ['https://API.Telegram.org/bot1:token/sendMessage?chat_id=1', 'Telegram', 'telegram'],
])('refuses the webhook %s, because the settings must not hold it', (url, product, format) => {
  expect(errorsIn({ notifications: { webhooks: [{ url }] } })).toEqual([
    `Environment "prod": notifications.webhooks.0.url: is a ${product} URL: store it in Secrets Manager, and write { format: "${format}", secret: "<the secret's name>" } instead`,
  ]);
});

test.each([
  'https://notdiscord.com/',
  'https://script.google.com/macros/s/dev/exec',
  'https://discord.com.example.com/',
  'https://telegram.org/',
])('accepts the webhook %s, which is none of a chat product', (url) => {
  expect(errorsIn({ notifications: { webhooks: [{ url }] } })).toEqual([]);
});

test('notifications: has no target', () => {
  expect(errorsIn({ notifications: { from } })).toEqual([
    'Environment "prod": notifications: has no target: set emails, webhooks or both',
  ]);
});

test.each([
  ['hooks.example.com', `is not a URL: write it in full, as in "${hook}"`],
  ['http://hooks.example.com', insecure],
  ['https://ada:secret@hooks.example.com', 'must not contain a user name or password'],
])('refuses the URL "%s" of a webhook, says why, and does not show it', (url, why) => {
  expect(errorsIn({ notifications: { webhooks: [{ url }] } })).toEqual([
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
