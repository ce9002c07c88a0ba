import { expect, test } from 'vitest';
import { type EnvironmentInput, parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { neededSecrets } from '../../lib/local/needed-secrets.ts';
import { alarmSender, serverEnvironment } from '../../lib/local/server-environment.ts';
import { SettingsError } from '../../lib/shared/settings-error.ts';
import { bare, full } from '../infrastructure/synthesize.ts';

const smtp = { secure: true, host: 'mail.example.com', port: 465, isLocal: false, auth: undefined };
const inbox = 'https://inbox-of-server.example.com';

const served = (prod: object, settings: object = {}) =>
  serverEnvironment(
    { file: 'environments.ts', environments: { prod: { ...bare, ...prod } } },
    {
      ENVIRONMENT: 'prod',
      INBOX_URL: undefined,
      SMTP_URL: smtp,
      ...settings,
    },
  );

test('uses all settings about contact requests, and none about AWS', () => {
  const { input, source } = served(full);
  const { forms, spam, extraFields, required, retentionDays, notifications, confirmation, webAcl } = full;
  expect(input).toMatchObject({ forms, spam, extraFields, required, retentionDays, notifications, webAcl });
  expect(input.confirmation).toEqual(confirmation);
  expect(source).toBe('prod of environments.ts');
  expect(() => parseEnvironment('local', input)).not.toThrow();
  const ofAws = ['account', 'region', 'tags', 'alarmEmails', 'silenceAlarm', 'tracing', 'domains', 'existingTables'];
  expect(Object.keys(input).filter((name) => ofAws.includes(name))).toEqual([]);
});

test('counts INBOX_URL as the first inbox, to which emails link', () => {
  const inboxOrigins = ['https://other.example.com', inbox];
  expect(served({ inboxOrigins }, { INBOX_URL: inbox }).input.inboxOrigins).toEqual([
    inbox,
    'https://other.example.com',
  ]);
  expect(() => served({ sites: [{ origin: inbox }] }, { INBOX_URL: inbox })).toThrow(SettingsError);
});

test('names the environments of the file if ENVIRONMENT is none of them', () => {
  expect(() => served({}, { ENVIRONMENT: 'shop' })).toThrow(
    'ENVIRONMENT: environments.ts has no "shop": write it there, or name one of prod',
  );
});

const from = 'contact@example.com';

test.each<[string, Partial<EnvironmentInput>, boolean]>([
  ['nothing', {}, false],
  ['webhooks', { notifications: { webhooks: [{ url: 'https://a.example/' }] } }, false],
  ['emails', { notifications: { from, emails: ['me@example.com'] } }, true],
  ['alarms', { alarmEmails: ['me@example.com'] }, true],
])('without SMTP_URL, an environment with %s does not start: %s', (_, settings, refused) => {
  const start = () => served(settings, { SMTP_URL: undefined });
  if (refused) expect(start).toThrow(/^SMTP_URL is missing, but prod of environments.ts sends emails/);
  else expect(start).not.toThrow();
});

test('names the secrets that an operator stores', () => {
  const captcha = { provider: 'turnstile', secret: 'captcha-key' } as const;
  const webhooks = [{ format: 'slack', secret: 'slack-url' } as const, { url: 'https://a.example/' }];
  const needed = neededSecrets(served({ spam: { captcha }, notifications: { webhooks } }).parsed);
  expect(needed.map(({ name }) => name)).toEqual(['captcha-key', 'slack-url']);
});

test.each([
  [{ notifications: { from, emails: ['me@example.com'] } }, 'user@example.com', from],
  [{}, 'user@example.com', 'user@example.com'],
  [{}, 'user', 'ops@example.com'],
])('alarms of %j with the login %s come from %s', (settings, user, sender) => {
  expect(alarmSender(served({ ...settings, alarmEmails: ['ops@example.com'] }).parsed, user)).toBe(sender);
});
