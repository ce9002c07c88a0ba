import { expect, test } from 'vitest';
import { warningsOfConditions } from '../../lib/infrastructure/notification-conditions.ts';
import { type EnvironmentInput, parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { bare } from './synthesize.ts';

const from = 'contact@example.com';

const warningsOf = (settings: EnvironmentInput) => warningsOfConditions(parseEnvironment('prod', settings));

const asIn = (other: string) =>
  `is stored as "${other}" unless the form has a better field for that: write "${other}", or give the field of the form another name, such as "topic".`;

const shop = { origin: 'https://shop.example.com' };
const [site = shop] = bare.sites;

test.each<[what: string, settings: Partial<EnvironmentInput>, conditions: object, expected: readonly string[]]>([
  ['extra fields', {}, { where: { Betreff: 'Angebot', topic: 'Sales', mail: 'yes', kontakt: 'Vertrieb' } }, []],
  ['fields of ours', {}, { where: { company: 'ACME', campaign: 'spring' } }, []],
  ['a word for the message', {}, { where: { Nachricht: 'Angebot' } }, [`"Nachricht", which ${asIn('message')}`]],
  ['another spelling', {}, { where: { 'E-Mail': 'a@b.example' } }, [`"E-Mail", which ${asIn('email')}`]],
  [
    'another name of the campaign',
    {},
    { where: { utm_campaign: 'spring' } },
    [`"utm_campaign", which ${asIn('campaign')}`],
  ],
  [
    'a name that one form gives to another field',
    { forms: { quote: { fields: { company: 'topic' } }, contact: {} } },
    { where: { topic: 'Sales' } },
    [`"topic", which ${asIn('company')}`],
  ],
  [
    'such a name in a condition that leaves this form out',
    { forms: { quote: { fields: { company: 'topic' } }, contact: {} } },
    { where: { topic: 'Sales' }, forms: ['contact'] },
    [],
  ],
])('warns of names that are stored under another one: %s', (_, settings, conditions, expected) => {
  const notifications = { from, emails: ['a@example.com', { to: 'b@example.com', ...conditions }] };
  expect(warningsOf({ ...bare, ...settings, notifications })).toEqual(
    expected.map((text) => `emails.1.where has ${text}`),
  );
});

const unreached = (places: string) =>
  `Nobody is notified of a contact request whose site is ${places}, if it meets no other condition: add a target with otherwise: true, or one without conditions.`;
const script = 'none (as of a script)';

test.each<[sites: EnvironmentInput['sites'], targets: object[], unreached: string | undefined]>([
  [[site], [{}], undefined],
  [[site], [{ where: { topic: 'Sales' } }, { otherwise: true }], undefined],
  [[site], [{ forms: ['sales'] }, { where: { topic: 'Sales' } }], `${site.origin} or ${script}`],
  [[site], [{ otherwise: true, forms: ['sales'] }], `${site.origin} or ${script}`],
  [[site], [{ spam: true }], `${site.origin} or ${script}`],
  // The only site counts for what comes from none.
  [[site], [{ sites: [site.origin] }], undefined],
  [[site, shop], [{ sites: [site.origin] }, { otherwise: true, sites: [shop.origin] }], script],
  [[site, shop], [{ where: { topic: 'Sales' } }, { sites: [shop.origin] }], `${site.origin} or ${script}`],
])('of the sites %j, the targets %j do not reach %j', (sites, targets, places) => {
  const emails = targets.map((conditions, at) => ({ to: `${at}@example.com`, ...conditions }));
  expect(warningsOf({ ...bare, sites, notifications: { from, emails } })).toEqual(
    places === undefined ? [] : [unreached(places)],
  );
});
