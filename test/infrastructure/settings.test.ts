import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
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

test('by default, an environment keeps its data and extra fields', () => {
  const settings = parseEnvironment('prod', { sites: [{ origin: 'https://www.example.com' }] });
  expect(settings).toMatchObject({ retainData: true, extraFields: 'keep' });
  expect(settings).not.toHaveProperty('retentionDays');
});

test('names every unknown setting beside the other errors', () => {
  const notifications = { emails: ['a@example.com'], webhook: 1, slack: 2 };
  expect(errorsIn({ alarm_email: 3, colour: {}, webAcl: 'yes', notifications }).sort()).toEqual([
    'Environment "prod": alarm_email: unknown setting. Did you mean alarmEmails?',
    'Environment "prod": colour: unknown setting',
    'Environment "prod": notifications.from: is required with emails: write an address that receives email, as in from: "contact@example.com"',
    'Environment "prod": notifications.slack: unknown setting',
    'Environment "prod": notifications.webhook: unknown setting. Did you mean webhooks?',
    'Environment "prod": webAcl: must be true or false',
  ]);
});

const site = bare.sites[0];
const from = 'contact@example.com';
const hook = 'https://hooks.example.com/contact';
const throttle = { rate: 20, burst: 100 };
const long = 'x'.repeat(65);

const forms = (settings: unknown) => ({ forms: settings });
const sales = (settings: unknown) => forms({ sales: settings });
const captcha = (settings: unknown) => ({ spam: { captcha: settings } });
const domains = (...changes: object[]) => ({ domains: changes.map((each) => ({ ...domainOfFull, ...each })) });
const emails = (...each: unknown[]) => ({ notifications: { from, emails: each } });
const webhooks = (...each: unknown[]) => ({ notifications: { webhooks: each } });
const where = (settings: unknown) => emails({ to: 'a@example.com', where: settings });
const confirming = (confirmation: unknown) => ({
  spam: { proofOfWork: 'mark' },
  ...emails('a@example.com'),
  confirmation,
});
const filed = (files: unknown, own?: unknown) => ({
  spam: { proofOfWork: 'mark' },
  files,
  ...(own !== undefined && sales({ files: own })),
});
const sender = (name: string) => ({ notifications: { from: name, emails: ['a@example.com'] } });

/** Wrong settings, by what the message calls wrong. */
const refused: Readonly<Record<string, readonly object[]>> = {
  account: [{ account: '123' }],
  region: [{ region: 'Frankfurt' }],
  tags: [{ tags: 'CostCenter' }],
  'tags.CostCenter': ['R&D', 'a\nb', '', 'x'.repeat(257), 'aws:4711'].map((value) => ({ tags: { CostCenter: value } })),
  'tags.Aws:Center': [{ tags: { 'Aws:Center': '4711' } }],
  'tags.Cost;Center': [{ tags: { 'Cost;Center': '4711' } }],
  sites: [{ sites: 'https://a.example' }, { sites: [site, site] }],
  'sites.0.origin': [
    ...[undefined, 'HTTPS://WWW.Example.com', 'https://www.example.com/contact?a=b#c', 'https://müller.example'],
    ...['www.example.com', 'null', 'https://*.example.com', 'https://"example".com', 'http://localhost.example.com'],
  ].map((origin) => ({ sites: [{ origin }] })),
  'sites.0.thankYouUrl': [{ sites: [{ ...site, thankYouUrl: '/thanks' }] }],
  'sites.0.language': [{ sites: [{ ...site, language: 'English' }] }],
  inboxOrigins: [
    { inboxOrigins: 'https://inbox.example.com' },
    { inboxOrigins: ['https://inbox.example.com', 'https://inbox.example.com'] },
    { inboxOrigins: ['https://inbox.example.com', site?.origin] },
  ],
  'inboxOrigins.0': [{ inboxOrigins: ['https://inbox.example.com/'] }],
  'spam.traps': [{ spam: { traps: ['fax', 'Fax'] } }],
  // The last three are fields that people or scripts fill in.
  'spam.traps.0': ['', 'email', 'Idempotency-Key', 'UTM_campaign'].map((name) => ({ spam: { traps: [name] } })),
  'spam.requireTrap': [{ spam: { traps: [], requireTrap: true } }],
  'spam.proofOfWork': [{ spam: { proofOfWork: 'reject' } }],
  'spam.proofBits': [
    { spam: { proofBits: 17 } },
    ...[7, 25, 17.5].map((proofBits) => ({ spam: { proofOfWork: 'mark', proofBits } })),
  ],
  'spam.senders': [[], ['@example.com', '@Example.COM'], ['@m\u00fcnchen.example', '@xn--mnchen-3ya.example']].map(
    (senders) => ({ spam: { senders } }),
  ),
  'spam.senders.0': ['example.com', '*@example.com', '@', '', 'a@b@example.com', '@exa mple.com'].map((each) => ({
    spam: { senders: [each] },
  })),
  'spam.links': [-1, 101, 2.5, '3'].map((links) => ({ spam: { links } })),
  'spam.words': [
    ...[[], ['Casino', 'casino']].map((words) => ({ spam: { words } })),
    { spam: { words: Array.from({ length: 201 }, (_, at) => `word${at}`) } },
  ],
  'spam.words.0': ['', ' ', '!!!', '\ufdfa', '\u3164', '\u0301', 'x'.repeat(101), 3].map((each) => ({
    spam: { words: [each] },
  })),
  'spam.captcha': [captcha('turnstile')],
  'spam.captcha.provider': [captcha({ provider: 'akismet', secret: 'a' })],
  'spam.captcha.secret': [1, 'my key'].map((secret) => captcha({ provider: 'turnstile', secret })),
  'throttles.public.rate': [{ throttles: { public: { ...throttle, rate: 0 } } }],
  existingTables: [{ retainData: false, existingTables: { contacts: 'a', campaigns: 'b', tokens: 'c' } }],
  retentionDays: [{ retentionDays: 1.5 }],
  'forms.sales.retentionDays': [0, 3_651, '30'].map((retentionDays) => sales({ retentionDays })),
  logRetentionDays: [{ logRetentionDays: 2 }],
  'alarmEmails.0': [{ alarmEmails: ['operations'] }, { alarmEmails: ['ops@localhost'] }],
  runbookUrl: [{ runbookUrl: 'docs/runbook.md' }, { runbookUrl: 'https://wiki.example.com/#runbook' }],
  silenceAlarm: [{ silenceAlarm: 169 }],
  defaultEndpoint: [{ defaultEndpoint: false }],
  domains: [domains({}, {})],
  'domains.0': [domains({ hostedZone: { id: 'Z1', name: 'ample.com' } })],
  'domains.0.name': [domains({ name: 'Contact.example.com', hostedZone: undefined })],
  'domains.0.certificateArn': [domains({ certificateArn: 'abc' })],
  'domains.0.hostedZone.id': [domains({ hostedZone: { id: '/Z1', name: 'example.com' } })],
  // All but the first two are of a trap, which visitors leave empty.
  forms: [
    sales({ files: true }),
    forms('newsletter'),
    sales({ required: ['email', '_gotcha'] }),
    sales({ fields: { message: '_gotcha' } }),
  ],
  'forms.': [forms({ '': {} })],
  [`forms.${long}`]: [forms({ [long]: {} })],
  'forms. sales': [forms({ ' sales': {} })],
  'forms.a\\nb': [forms({ 'a\nb': {} })],
  'forms.sales': [sales('me@example.com')],
  'forms.sales.emails': [sales({ emails: [] })],
  'forms.sales.0': [sales(['email'])],
  'forms.sales.required': [sales({ required: 'email' }), sales({ required: ['email', 'email'] })],
  // All but the first are not for visitors.
  'forms.sales.required.0': ['email|name', '_next', 'form-name', '_proof', 'access_key', 'idempotency-key'].map(
    (name) => sales({ required: [name] }),
  ),
  'forms.sales.required.1': [sales({ required: ['a', ' topic'] })],
  'forms.sales.thankYouUrl': [sales({ thankYouUrl: '/thanks' })],
  'forms.sales.subject': ['An order\nBcc: eve@example.com', 'An order\u2028', ' ', '', '😀'.repeat(76)].map((subject) =>
    sales({ subject }),
  ),
  'forms.sales.fields': [sales({ fields: { email: 'a', message: 'a' } })],
  'forms.sales.fields.message': ['_next', 'campaign', ''].map((name) => sales({ fields: { message: name } })),
  fields: ['a', { email: 'a', message: 'a' }, { message: '_gotcha' }].map((fields) => ({ fields })),
  'fields.message': ['_next', 'campaign', ''].map((name) => ({ fields: { message: name } })),
  required: [{ required: 'email' }, { required: ['email', '_gotcha'] }],
  'required.0': [{ required: ['_next'] }],
  notifications: [
    { notifications: { from } },
    emails({ to: 'a@example.com', otherwise: true, where: { topic: 'Sales' } }),
    emails({ to: 'a@example.com', otherwise: true, spam: true }),
    ...['_gotcha', '_proof', 'idempotency-key'].map((name) => where({ [name]: 'Sales' })),
  ],
  'notifications.from': [
    { notifications: { emails: ['a@example.com'] } },
    ...['operations', 'Contact form', 'Contact form <a@example.com', 'Contact form a@example.com>'].map(sender),
    ...['Contact form <a@example.com> <b@example.com>', 'Contact form <a@example.com>, b@example.com'].map(sender),
    ...['Contact form <a b@example.com>', 'Contact form <>', '<a@example.com>'].map(sender),
    // The service encodes the name.
    ...['"Contact form" <a@example.com>', 'Contact\\form <a@example.com>', '=?utf-8?Q?B=C3=BCro?= <a@example.com>'].map(
      sender,
    ),
    // Amazon SES takes 320 characters. The name gets quotation marks.
    ...[`${'x'.repeat(303)} <a@example.com>`, `${'ü'.repeat(120)} <a@example.com>`].map(sender),
  ],
  'notifications.emails': [
    { notifications: { from, emails: 'a@example.com' } },
    emails('a@example.com', { to: 'A@Example.com', forms: ['sales'] }),
  ],
  'notifications.emails.0': [emails('operations')],
  'notifications.emails.0.to': [emails({ to: 'operations' }), emails({ forms: ['sales'] })],
  'notifications.emails.0.form': [emails({ to: 'a@example.com', form: 'sales' })],
  'notifications.emails.0.forms': [
    emails({ to: 'a@example.com', forms: [] }),
    emails({ to: 'a@example.com', forms: 'a' }),
  ],
  'notifications.emails.0.forms.0': [emails({ to: 'a@example.com', forms: ['sales '] })],
  'notifications.emails.0.otherwise': [emails({ to: 'a@example.com', otherwise: 'yes' })],
  'notifications.emails.0.where': ['Sales', ['Sales'], {}, { topic: 'Sales', constructor: 'Sales' }].map(where),
  'notifications.emails.0.where.topic': [' ', 1, [], ['Sales', 'sales ']].map((topic) => where({ topic })),
  'notifications.emails.0.where.topic.1': [where({ topic: ['Sales', ''] })],
  'notifications.emails.0.where. topic': [where({ ' topic': 'Sales' })],
  'notifications.emails.0.spam': [emails({ to: 'a@example.com', spam: 'only' })],
  'notifications.webhooks': [
    webhooks({ url: 'https://a.example/' }, { url: 'https://A.example/', forms: ['sales'] }),
    webhooks({ format: 'slack', secret: 'a' }, { format: 'slack', secret: 'a', forms: ['sales'] }),
  ],
  'notifications.webhooks.0': [webhooks(hook), webhooks({ secret: 'a' }), webhooks({ format: 'slack', url: hook })],
  'notifications.webhooks.0.sites': [
    webhooks({ url: hook, sites: [] }),
    webhooks({ url: hook, sites: 'https://a.example' }),
  ],
  'notifications.replyTo': [{ notifications: { from, replyTo: 'Office', emails: ['a@example.com'] } }],
  confirmationsPerHour: [0, 10_001, '20'].map((confirmationsPerHour) => ({ confirmationsPerHour })),
  // All lack the sender, or a defence that proves anything.
  confirmation: [
    { spam: { proofOfWork: 'mark' }, confirmation: true },
    { spam: { proofOfWork: 'mark' }, notifications: { webhooks: [{ url: hook }] }, confirmation: true },
    ...[{}, { requireTrap: true, words: ['casino'] }, { proofOfWork: 'mark', proofBits: 16 }].map((spam) => ({
      spam,
      ...emails('a@example.com'),
      ...sales({ confirmation: { text: 'Thank you' } }),
    })),
  ],
  'confirmation.subject': ['', ' ', 'a\nb', 'x'.repeat(151), 'Dear {name}'].map((subject) => confirming({ subject })),
  'confirmation.text': ['', 'x'.repeat(5_001), 'You wrote: {message}', 7].map((text) => confirming({ text })),
  'confirmation.text.klingon': [confirming({ text: { klingon: 'Qapla' } })],
  'confirmation.text.de': [confirming({ text: { de: 'Hallo {name}' } })],
  'confirmation.words': [confirming({ words: 'Thank you' })],
  files: [
    filed(true),
    filed({ existingBucket: 'old-files' }),
    // These lack a defence.
    ...[{}, { requireTrap: true, words: ['casino'] }, { proofOfWork: 'off' }].map((spam) => ({ files: {}, spam })),
  ],
  'files.dailyMegabytes': [9, 1_000_001, 100.5, '1 GB'].map((dailyMegabytes) => filed({ dailyMegabytes })),
  'files.scan': [filed({ scan: 'on' })],
  'files.existingBucket': ['arn:aws:s3:::old', 'Old', ''].map((existingBucket) => ({
    retainData: true,
    existingTables: { contacts: 'a', campaigns: 'b', tokens: 'c' },
    ...filed({ existingBucket }),
  })),
  'forms.sales.files': [false, 5, 'pdf'].map((own) => filed({}, own)),
  'forms.sales.files.max': [0, 21].map((max) => filed({}, { max })),
  'forms.sales.files.types': [[], ['pdf', 'pdf']].map((types) => filed({}, { types })),
  'forms.sales.files.types.0': ['svg', 'PDF', '.pdf'].map((type) => filed({}, { types: [type] })),
  // Only addresses can have spam.
  'notifications.webhooks.0.spam': [webhooks({ url: hook, spam: true })],
  'notifications.webhooks.0.secret': [
    webhooks({ url: hook, secret: 'a' }),
    webhooks({ format: 'slack', secret: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:a-AbCdEf' }),
  ],
  'notifications.webhooks.1.format': [webhooks({ url: hook }, { secret: 'a', format: 'teams' })],
};

/** Expects one line, which names the setting. @returns the line */
const expectRefusal = (path: string, settings: object): string => {
  const [line = '', ...others] = errorsIn(settings);
  expect(others).toEqual([]);
  expect(line.startsWith(`Environment "prod": ${path}: `), `${line} for ${JSON.stringify(settings)}`).toBe(true);
  return line;
};

test.each(Object.entries(refused))('refuses a wrong value of "%s" by its name', (path, wrong) => {
  for (const settings of wrong) expectRefusal(path, settings);
});

/** What settings must not hold, because a repository may be public, and what can have a key in it. */
const secrets: readonly (readonly [path: string, secret: string, settings: object])[] = [
  ...[`0x4AAAAAAA${'b'.repeat(25)}`, `ES_${'0'.repeat(32)}`, `0x${'0'.repeat(40)}`, `6Le${'c'.repeat(37)}`].map(
    (secret) => ['spam.captcha.secret', secret, captcha({ provider: 'turnstile', secret })] as const,
  ),
  [
    'notifications.webhooks.0.secret',
    'services/T0/B0/X0',
    webhooks({ format: 'slack', secret: 'https://hooks.slack.com/services/T0/B0/X0' }),
  ],
  [
    'notifications.webhooks',
    'key=a',
    webhooks({ url: 'https://a.example/?key=a' }, { url: 'https://A.example/?key=a' }),
  ],
  ...[
    'https://hooks.slack.com/services/T0/B0/X0',
    'https://discord.com/api/webhooks/1/token',
    'https://ptb.discord.com/api/webhooks/1/token',
    'https://canary.discordapp.com/api/webhooks/1/token',
    'https://API.Telegram.org/bot1:token/sendMessage?chat_id=1',
    'https://script.google.com/macros/s/AKfycb/dev?key=a',
    'https://ada:secret@hooks.example.com',
    'http://crm.example.com',
    'crm.example.com',
  ].map((url) => ['notifications.webhooks.0.url', url, webhooks({ url })] as const),
];

test.each(secrets)('refuses %s as "%s", and does not show it', (path, secret, settings) => {
  expect(expectRefusal(path, settings)).not.toContain(secret);
});

const lacks = (condition: string, name: string) => {
  const setting = condition.split('.').at(-1);
  return `${condition} has "${name}", but ${setting} of the environment does not: correct the name, or add it to ${setting}`;
};

test.each<[message: string, settings: object]>([
  [
    'sites.0.origin: "https://www.example.com/contact" must be written as browsers send it: "https://www.example.com"',
    { sites: [{ origin: 'https://www.example.com/contact' }] },
  ],
  [
    'inboxOrigins: has an origin that is also in sites: serve the inbox from an origin of its own, such as "https://inbox.example.com"',
    { inboxOrigins: [site?.origin] },
  ],
  [
    'notifications.webhooks.0.url: is a Slack URL: store it in Secrets Manager, and write { format: "slack", secret: "<the secret\'s name>" } instead',
    webhooks({ url: 'https://hooks.slack.com/services/T0/B0/X0' }),
  ],
  [
    `notifications: ${lacks('emails.0.forms', 'Sales')}; ${lacks('webhooks.0.sites', 'https://shop.example.com')}`,
    {
      ...sales({}),
      notifications: {
        from,
        emails: [{ to: 'a@example.com', forms: ['sales', 'Sales'], sites: ['https://www.example.com'] }],
        webhooks: [{ url: hook, sites: ['https://www.example.com', 'https://shop.example.com'] }],
      },
    },
  ],
  [
    'notifications: emails.0 has otherwise and spam: remove one of them; emails.0 has otherwise and where: remove one of them',
    emails({ to: 'a@example.com', otherwise: true, where: { topic: 'Sales' }, spam: true }),
  ],
  [
    'notifications: emails.0.where has "form-name", which names the form: write forms: ["sales"] instead',
    where({ 'form-name': 'sales' }),
  ],
  [
    'notifications: emails.0.where has "fax", which is not kept: write another field',
    { ...where({ fax: '1' }), spam: { traps: ['fax'] } },
  ],
  [
    'notifications: emails.0.where has "reqtext", which is stored as "message", as fields says: write "message"',
    { ...where({ reqtext: 'Sales' }), fields: { message: 'reqtext' }, ...sales({ fields: { email: 'mail' } }) },
  ],
  [
    'notifications: webhooks.0.where has "topic", which is dropped, as extraFields says: write another field',
    { ...webhooks({ url: hook, where: { topic: 'Sales', company: 'ACME' } }), extraFields: 'ignore' },
  ],
  [
    'notifications: emails.0.where has "Firma", which is stored as "company" or dropped, as extraFields says: write "company"',
    { ...where({ Firma: 'ACME' }), extraFields: 'ignore' },
  ],
  [
    'files: requires a defence, or anyone could use up dailyMegabytes in seconds: spam: { proofOfWork: "mark" }, a captcha, or webAcl: true (docs/spam.md)',
    { files: {} },
  ],
  [
    'forms: has files for sales, but the environment stores none: add files: {} to the environment',
    sales({ files: true }),
  ],
  // A line break would begin another header.
  [
    'notifications.from: "Contact form\\r\\nBcc: eve@example.com <a@example.com>" has a line break or another control character: remove it',
    sender('Contact form\r\nBcc: eve@example.com <a@example.com>'),
  ],
])('says what to do: %s', (message, settings) => {
  expect(errorsIn(settings)).toEqual([`Environment "prod": ${message}`]);
});

test.each<[what: string, settings: object]>([
  ['tags with every character that AWS allows', { tags: { 'Kosten_Stelle: é/1=+-@.': 'Größe 2 _.:/=+-@' } }],
  ['nothing that is required', { required: [], forms: { poll: { required: [] } } }],
  ['files behind a proof of work', filed({}, true)],
  ['files behind a captcha', { ...captcha({ provider: 'turnstile', secret: 'key' }), files: {} }],
  ['files behind a web ACL', { webAcl: true, files: {} }],
  ['a required campaign', { required: ['utm_campaign'] }],
  ['a required trap', { spam: { traps: ['fax'], requireTrap: true } }],
  ['several traps, of which one is required', { spam: { traps: ['fax', 'website'], requireTrap: true } }],
  ['a condition with the name of a form, if no form has settings', emails({ to: 'a@example.com', forms: ['sale'] })],
  [
    'a field that only another form stores under another name',
    { ...where({ reqtext: 'Sales' }), ...sales({ fields: { message: 'reqtext' } }) },
  ],
  ...[
    'https://www.example.com',
    'https://www.example.com:8443',
    'https://xn--mller-kva.example',
    'https://192.0.2.1',
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://[::1]:3000',
  ].map((origin): [string, object] => [`the origin ${origin}`, { sites: [{ origin }] }]),
  ...[
    'a@example.com',
    'Contact form <a@example.com>',
    `${'x'.repeat(302)} <a@example.com>`,
    'O’Neill & Søn, Ltd. (sales) <a@example.com>',
  ].map((from): [string, object] => [`the sender ${from}`, sender(from)]),
  ...[
    'https://notdiscord.com/',
    'https://script.google.com/macros/s/dev/exec',
    'https://discord.com.example.com/',
    'https://telegram.org/',
  ].map((url): [string, object] => [`the webhook ${url}`, webhooks({ url })]),
])('accepts %s', (_, settings) => {
  expect(errorsIn(settings)).toEqual([]);
});

test('a form that accepts files has up to 5, of every type, unless its setting says otherwise', () => {
  const { files, forms } = parseEnvironment('prod', {
    ...bare,
    ...filed({}),
    forms: { jobs: { files: true }, roof: { files: { types: ['jpeg'] } }, plain: {} },
  });
  const all = ['pdf', 'png', 'jpeg', 'gif', 'webp', 'heic', 'office', 'opendocument', 'zip', 'text'];
  expect(files).toEqual({ dailyMegabytes: 1000, scan: true });
  expect([forms['jobs']?.files, forms['roof']?.files]).toEqual([
    { max: 5, types: all },
    { max: 5, types: ['jpeg'] },
  ]);
  expect(forms['plain']).not.toHaveProperty('files');
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
