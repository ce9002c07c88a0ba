import { expect, test } from 'vitest';
import { type EnvironmentInput, parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { hasUncalledTargets, localEnvironment, localSecrets, marksScripts } from '../../lib/local/local-environment.ts';
import { SettingsError } from '../../lib/shared/settings-error.ts';
import { bare, full } from '../infrastructure/synthesize.ts';

const exampleSite = 'http://localhost:8080';
const inbox = 'http://localhost:8081';

const shop = {
  origin: 'https://shop.example.com',
  thankYouUrl: 'https://shop.example.com/thanks',
  language: 'de',
} as const;

const local = (dev: Partial<EnvironmentInput>, settings: object = {}) =>
  localEnvironment({ dev: { ...bare, ...dev } }, { SITE_ORIGINS: [], ...settings }, { exampleSite, inbox });

test('uses the form settings of dev, but no account settings', () => {
  const { sites, forms, spam, extraFields, required, retentionDays } = full;
  const settings = local(full);
  expect(settings).toMatchObject({
    forms,
    spam,
    extraFields,
    required,
    retentionDays,
    sites: [{ origin: exampleSite }, { ...sites[0], language: 'en' }, sites[1]],
    // The other origins of inboxes are those of the deployed dev.
    inboxOrigins: [inbox],
    throttles: { public: { rate: 10_000, burst: 5_000 } },
    retainData: false,
    logRetentionDays: 1,
  });
  expect(() => parseEnvironment('local', settings)).not.toThrow();
  const ofAccounts = ['account', 'region', 'tags', 'webAcl', 'alarmEmails', 'silenceAlarm', 'tracing', 'domains'];
  expect(Object.keys(settings).filter((name) => ofAccounts.includes(name))).toEqual([]);
});

test('adds SITE_ORIGINS to the sites of dev and the example site, each once, and uses THANK_YOU_URL for all', () => {
  const dev = { sites: [shop, { origin: exampleSite, language: 'fr' } as const] };
  const SITE_ORIGINS = ['http://127.0.0.1:5500', shop.origin];
  expect(local(dev, { SITE_ORIGINS }).sites).toEqual([
    { origin: exampleSite, language: 'fr' },
    shop,
    { origin: 'http://127.0.0.1:5500' },
  ]);
  const THANK_YOU_URL = 'https://www.example.com/thanks';
  expect(local(dev, { SITE_ORIGINS, THANK_YOU_URL }).sites.map(({ thankYouUrl }) => thankYouUrl)).toEqual([
    THANK_YOU_URL,
    THANK_YOU_URL,
    THANK_YOU_URL,
  ]);
});

test('removes a site from the origin of the inbox', () => {
  const dev = { sites: [shop, { origin: inbox }], inboxOrigins: ['https://inbox.example.com'] };
  expect(local(dev, { SITE_ORIGINS: [inbox] })).toMatchObject({
    sites: [{ origin: exampleSite }, shop],
    inboxOrigins: [inbox],
  });
});

test('replaces the secret key of a captcha by the public one for tests', () => {
  expect(localSecrets(local(full))).toEqual({ 'captcha-key': '1x0000000000000000000000000000000AA' });
  expect(localSecrets(local({}))).toEqual({});
});

test.each<[EnvironmentInput['spam'], boolean]>([
  [{}, false],
  [{ requireTrap: true }, false],
  [{ proofOfWork: 'mark' }, true],
  [{ captcha: { provider: 'turnstile', secret: 'captcha-key' } }, true],
])('the spam settings %j of dev mark JSON of scripts: %s', (spam = {}, marks) => {
  expect(marksScripts(local({ spam }))).toBe(marks);
});

test('refuses invalid settings of dev', () => {
  expect(() => local({ sites: [{ origin: 'www.example.com' }] })).toThrow(SettingsError);
});

test('allows the example site without dev', () => {
  expect(localEnvironment({}, { SITE_ORIGINS: [] }, { exampleSite }).sites).toEqual([{ origin: exampleSite }]);
});

const example = 'contact-service@localhost.example';
const staff = { to: 'staff@example.com' };
const sales = { to: 'sales@example.com', forms: ['sales'], sites: [shop.origin] };
const dev = { from: 'office@example.com', emails: [staff.to, sales], webhooks: [{ url: 'https://a.example/' }] };
const me = { to: 'me@example.com' };
const url = 'http://localhost:9000/';

test('confirmations of dev have a target, although its webhooks are not called', () => {
  const { notifications, confirmation, confirmationsPerHour } = local({
    spam: { proofOfWork: 'mark' },
    notifications: { from: dev.from, replyTo: staff.to, webhooks: dev.webhooks },
    confirmation: true,
    confirmationsPerHour: 3,
  });
  expect([confirmation, confirmationsPerHour]).toEqual([true, 3]);
  expect(notifications).toEqual({
    from: dev.from,
    replyTo: staff.to,
    emails: [{ to: 'owner@localhost.example' }],
    webhooks: [],
  });
});

test.each<[dev: EnvironmentInput['notifications'], settings: object, expected: EnvironmentInput['notifications']]>([
  [undefined, {}, undefined],
  [undefined, { NOTIFY_EMAIL: [me.to] }, { from: example, emails: [me], webhooks: [] }],
  [undefined, { NOTIFY_WEBHOOK: url }, { from: example, emails: [], webhooks: [{ url }] }],
  [{ webhooks: dev.webhooks }, {}, undefined],
  [dev, {}, { from: dev.from, emails: [staff, sales], webhooks: [] }],
  [
    dev,
    { NOTIFY_EMAIL: [staff.to, me.to, 'ME@example.com'], NOTIFY_WEBHOOK: url },
    { from: dev.from, emails: [staff, sales, { to: 'ME@example.com' }], webhooks: [{ url }] },
  ],
  // An address of spam stays one; a chat is not called.
  [
    { from: dev.from, emails: [{ ...staff, spam: true }], webhooks: [{ format: 'telegram', secret: 'a' }] },
    { NOTIFY_EMAIL: [me.to] },
    { from: dev.from, emails: [{ ...staff, spam: true }, me], webhooks: [] },
  ],
  // An added address gets everything.
  [
    dev,
    { NOTIFY_EMAIL: ['Sales@example.com'] },
    { from: dev.from, emails: [staff, { to: 'Sales@example.com' }], webhooks: [] },
  ],
])('combines the notifications %j of dev with %j: %j', (notifications, settings, expected) => {
  const ofDev = { sites: [shop], ...(notifications && { notifications }) };
  expect(local(ofDev, settings).notifications).toEqual(expected);
});

test.each<[notifications: EnvironmentInput['notifications'], has: boolean]>([
  [undefined, false],
  [{ from: dev.from, emails: [staff.to] }, false],
  [{ ...dev, emails: [staff.to] }, true],
  [{ webhooks: [{ format: 'slack', secret: 'slack-url' }] }, true],
])('knows whether the notifications %j of dev have targets that are not called locally: %s', (notifications, has) => {
  expect(hasUncalledTargets({ dev: { ...bare, ...(notifications && { notifications }) } })).toBe(has);
});
