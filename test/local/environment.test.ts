import { expect, test } from 'vitest';
import { EnvironmentError, type EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { localEnvironment } from '../../lib/local/environment.ts';
import { bare, full } from '../infrastructure/synthesize.ts';

const exampleSite = 'http://localhost:8080';

const shop = {
  origin: 'https://shop.example.com',
  thankYouUrl: 'https://shop.example.com/thanks',
  language: 'de',
} as const;

const local = (dev: Partial<EnvironmentInput>, settings: object = {}) =>
  localEnvironment({ dev: { ...bare, ...dev } }, { SITE_ORIGINS: [], ...settings }, exampleSite);

test('what forms meet in dev they meet here, and the list lies so; what is about an account stays there', () => {
  const { sites, honeypotField, extraFields, retentionDays, listShards } = full;
  expect(local(full)).toEqual({
    ...{ honeypotField, extraFields, retentionDays, listShards },
    sites: [{ origin: exampleSite }, { ...sites[0], language: 'en' }, sites[1]],
    throttles: expect.objectContaining({ public: { rate: 10_000, burst: 5_000 } }),
    retainData: false,
    logRetentionDays: 1,
  });
});

test('SITE_ORIGINS adds to the sites of dev and the example site, each once; THANK_YOU_URL is that of all', () => {
  const dev = { sites: [shop, { origin: exampleSite, language: 'fr' } as const] };
  const SITE_ORIGINS = ['http://127.0.0.1:5500', shop.origin];
  expect(local(dev, { SITE_ORIGINS }).sites).toEqual([
    { origin: exampleSite, language: 'fr' },
    shop,
    { origin: 'http://127.0.0.1:5500' },
  ]);
  const THANK_YOU_URL = 'https://www.example.com/thanks';
  expect(local(dev, { SITE_ORIGINS, THANK_YOU_URL }).sites.map(({ thankYouUrl }) => thankYouUrl)).toEqual([
    ...[THANK_YOU_URL, THANK_YOU_URL, THANK_YOU_URL],
  ]);
});

test('a mistake in dev is told as one', () => {
  expect(() => local({ sites: [{ origin: 'www.example.com' }] })).toThrow(EnvironmentError);
});

test('without dev the example site is allowed', () => {
  expect(localEnvironment({}, { SITE_ORIGINS: [] }, exampleSite).sites).toEqual([{ origin: exampleSite }]);
});

test('who is told in dev is not told here: NOTIFY_EMAIL and NOTIFY_WEBHOOK are, and nobody without them', () => {
  expect(full.notifications).toBeDefined();
  expect(local(full)).not.toHaveProperty('notifications');
  const from = 'contact-service@localhost.example';
  const NOTIFY_EMAIL = 'staff@example.com';
  const NOTIFY_WEBHOOK = 'http://localhost:9000/';
  expect(local(full, { NOTIFY_EMAIL }).notifications).toEqual({ from, emails: [NOTIFY_EMAIL], webhooks: [] });
  expect(local(full, { NOTIFY_WEBHOOK }).notifications).toEqual({
    from,
    emails: [],
    webhooks: [{ url: NOTIFY_WEBHOOK }],
  });
});
