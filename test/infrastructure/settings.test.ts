import { afterEach, expect, test, vi } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { environments } from '../../lib/environments.ts';
import { createApp } from '../../lib/infrastructure/app.ts';
import { EnvironmentError, type EnvironmentInput, parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { bare, fakeBundles, full, temporaryFolder } from './synthesize.ts';

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
    name: 'bare',
    honeypotField: 'website',
    webAcl: false,
    alarmEmails: [],
    contactsAlarm: 500,
    strictEndpointAccess: false,
  });
});

test('prod keeps its data, has a web ACL and tells of alarms', () => {
  expect(parseEnvironment('prod', environments.prod)).toMatchObject({
    retainData: true,
    webAcl: true,
    alarmEmails: [expect.any(String)],
  });
});

const certificateArn = full.customDomain.certificateArn;

test.each<[fault: string, settings: object]>([
  ['account: must be 12 digits', { account: '123' }],
  ['region: must be a region such as "eu-central-1"', { region: 'Frankfurt' }],
  ['siteOrigins: must be a list', { siteOrigins: 'https://www.example.com' }],
  ['siteOrigins: names one twice', { siteOrigins: ['https://a.example', 'https://a.example'] }],
  [
    'siteOrigins.1: "https://www.example.com/form" is no site origin: write scheme and host only, in lower case, with no path and no slash at the end, as in "https://www.example.com"',
    { siteOrigins: ['https://a.example', 'https://www.example.com/form'] },
  ],
  [
    'siteOrigins.0: "www.example.com" is no site origin: write scheme and host only, in lower case, with no path and no slash at the end, as in "https://www.example.com"',
    { siteOrigins: ['www.example.com'] },
  ],
  [
    'siteOrigins.0: "http://www.example.com" must begin with https:// (http:// is for localhost only)',
    { siteOrigins: ['http://www.example.com'] },
  ],
  [
    'thankYouUrl: "/thank-you" is no absolute URL, such as "https://www.example.com/thank-you"',
    { thankYouUrl: '/thank-you' },
  ],
  ['honeypotField: must be a letter, then up to 63 letters, digits, "_" or "-"', { honeypotField: '' }],
  [
    'throttles.public.rate: must be a whole number from 1 to 10,000',
    { throttles: { ...bare.throttles, public: { rate: 0, burst: 1 } } },
  ],
  ['throttles.staff: is missing', { throttles: { public: bare.throttles.public } }],
  ['webAcl: must be true or false', { webAcl: 'yes' }],
  ['retainData: must be true or false', { retainData: undefined }],
  ['retentionDays: must be a whole number from 1 to 3,650', { retentionDays: 0 }],
  ['retentionDays: must be a whole number from 1 to 3,650', { retentionDays: 1.5 }],
  [
    'logRetentionDays: must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653',
    { logRetentionDays: 2 },
  ],
  ['alarmEmails.0: "operations" is no e-mail address', { alarmEmails: ['operations'] }],
  ['contactsAlarm: must be a whole number from 1 to 1,000,000', { contactsAlarm: 0 }],
  ['monthlyBudget: must be a whole number from 1 to 1,000,000', { monthlyBudget: 9.5, alarmEmails: ['a@example.com'] }],
  ['monthlyBudget: mails alarmEmails: name 1 to 10', { monthlyBudget: 50 }],
  [
    'monthlyBudget: mails alarmEmails: name 1 to 10',
    { monthlyBudget: 50, alarmEmails: Array.from({ length: 11 }, (_, index) => `a${index}@example.com`) },
  ],
  ['notifications: names no target: set emails, webhookUrl or both', { notifications: {} }],
  ['notifications.emails.0: "@" is no e-mail address', { notifications: { emails: ['@'] } }],
  [
    'notifications.webhookUrl: "http://hooks.example.com" is no https:// URL (without "*", "#" and "@")',
    { notifications: { webhookUrl: 'http://hooks.example.com' } },
  ],
  [
    'customDomain.name: "Contact.example.com" is no host name in lower case, such as "contact.example.com"',
    { customDomain: { name: 'Contact.example.com', certificateArn } },
  ],
  [
    'customDomain.certificateArn: "abc" is no ARN of a certificate (arn:aws:acm:<region>:<account>:certificate/<id>)',
    { customDomain: { name: 'contact.example.com', certificateArn: 'abc' } },
  ],
  [
    'customDomain.certificateArn: is of another region than the environment',
    { region: 'eu-west-1', customDomain: { name: 'contact.example.com', certificateArn } },
  ],
  [
    'customDomain: name is not in hostedZone.name',
    { customDomain: { ...full.customDomain, hostedZone: { id: 'Z1', name: 'ample.com' } } },
  ],
  [
    'customDomain.hostedZone.id: must look like "Z0123456789ABC"',
    { customDomain: { ...full.customDomain, hostedZone: { id: '/hostedzone/Z1', name: 'example.com' } } },
  ],
  [
    'customDomain.defaultEndpoint: must be true or false',
    { customDomain: { ...full.customDomain, defaultEndpoint: 'off' } },
  ],
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

test('a mistake in one environment stops the app', () => {
  const wrong = { dev: bare, prod: { ...bare, retentionDays: 0 } };
  expect(() => createApp(wrong, fakeBundles(), { outdir: temporaryFolder() })).toThrow(EnvironmentError);
});

afterEach(() => {
  vi.doUnmock('../../lib/infrastructure/bundle.ts');
  vi.doUnmock('../../lib/environments.ts');
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test('`cdk` gets one clear line and a failing exit code, no stack', async () => {
  const bundles = fakeBundles();
  vi.doMock('../../lib/infrastructure/bundle.ts', async (original) => ({
    ...(await original<typeof import('../../lib/infrastructure/bundle.ts')>()),
    bundleFunctions: () => Promise.resolve(bundles),
  }));
  vi.doMock('../../lib/environments.ts', () => ({ environments: { qa: { ...bare, retentionDays: 0 } } }));
  const stderr = vi.spyOn(console, 'error').mockReturnValue();

  await import('../../bin/infrastructure.ts');

  expect(stderr.mock.calls).toEqual([['Environment "qa": retentionDays: must be a whole number from 1 to 3,650']]);
  expect(process.exitCode).toBe(1);
});

test('a thank-you URL of any script is written as it may stand in a header', () => {
  expect(parseEnvironment('x', { ...bare, thankYouUrl: 'https://www.example.com/dziękuję?a=b' }).thankYouUrl).toBe(
    'https://www.example.com/dzi%C4%99kuj%C4%99?a=b',
  );
});
