import { describe, expect, it } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { type ConditionName, type Conditions, unmetConditions } from '../../../functions/notify/conditions.ts';
import { noSite } from '../../../functions/notify/target.ts';

type Given = Omit<Contact, 'id' | 'createdAt'>;

const shop = 'https://shop.example.com';
const site = 'https://www.example.com';

/** The condition that a contact request does not meet, if it is the only target's. */
const unmetOf = (conditions: Conditions, contact: Given, isSpam = false) =>
  unmetConditions(new Map([['target', conditions]]), contact, isSpam).get('target');

interface Cases {
  readonly meets: readonly (readonly [Conditions, Given])[];
  readonly misses: readonly (readonly [Conditions, Given])[];
}

const sales = { extra: { topic: 'Sales' } };

/** Contact requests that meet each condition, and that do not. The type makes sure that each has some. */
const cases: Readonly<Record<Exclude<ConditionName, 'otherwise' | 'spam'>, Cases>> = {
  forms: {
    meets: [[{ forms: ['jobs', 'sales'] }, { form: 'sales' }]],
    misses: [
      [{ forms: ['sales'] }, { form: 'Sales' }],
      [{ forms: ['sales'] }, { extra: { form: 'sales' } }],
      [{ forms: ['sales'] }, {}],
    ],
  },
  sites: {
    meets: [
      [{ sites: [shop] }, { site: shop }],
      [{ sites: [site, noSite] }, {}],
    ],
    misses: [
      [{ sites: [shop] }, { site }],
      [{ sites: [shop] }, {}],
    ],
  },
  where: {
    meets: [
      [{ where: { topic: ['Sales'] } }, sales],
      [{ where: { topic: [' sALES\t'] } }, sales],
      [{ where: { topic: ['Support', 'Sales'] } }, sales],
      // Checkboxes send several values.
      [{ where: { topic: ['Sales'] } }, { extra: { topic: ['Press', 'sales'] } }],
      [{ where: { topic: ['Sales'], company: ['ACME'] } }, { ...sales, company: 'Acme' }],
      [{ where: { campaign: ['spring'] } }, { campaign: 'Spring' }],
      [{ where: { email: ['Ada@Example.com'] } }, { email: 'ada@example.com' }],
      [{ where: { straße: ['GROSSE STRASSE'] } }, { extra: { straße: 'Große Straße' } }],
      [{ where: { konu: ['satış', 'iade'] } }, { extra: { konu: 'SATIŞ' } }],
      [{ where: { konu: ['iade'] } }, { extra: { konu: 'İADE' } }],
      [{ where: { θέμα: ['ΠΩΛΉΣΕΙΣ'] } }, { extra: { θέμα: 'πωλήσεις' } }],
      // One is composed, the other is not.
      [{ where: { topic: ['cafe\u0301'] } }, { extra: { topic: 'CAF\u00c9' } }],
      [{ where: { site: ['Lisbon'] } }, { site: shop, extra: { site: 'Lisbon' } }],
      [{ where: { form: ['Short'] } }, { form: 'sales', extra: { form: 'short' } }],
    ],
    misses: [
      [{ where: { topic: ['Sales'] } }, {}],
      [{ where: { topic: ['Sales'] } }, { extra: { Topic: 'Sales' } }],
      [{ where: { topic: ['Sales'] } }, { extra: { topic: 'Sales and more' } }],
      [{ where: { topic: ['Sales'] } }, { extra: { topic: [] } }],
      [{ where: { topic: ['Sales'], company: ['ACME'] } }, sales],
      [{ where: { topic: ['cafe'] } }, { extra: { topic: 'café' } }],
      [{ where: { site: [shop] } }, { site: shop }],
      [{ where: { campaign: ['spring'] } }, { extra: { campaign: 'spring' } }],
      [{ where: { toString: ['function'] } }, { extra: {} }],
    ],
  },
};

describe.each(Object.entries(cases))('the condition %s', (name, { meets, misses }) => {
  it.each(meets)('%j is met by %j', (conditions, contact) => {
    expect(unmetOf(conditions, contact)).toBeUndefined();
  });

  it.each(misses)('%j is not met by %j', (conditions, contact) => {
    expect(unmetOf(conditions, contact)).toBe(name);
  });
});

const targets = {
  all: {},
  sales: { where: { topic: ['Sales'] } },
  support: { where: { topic: ['Support'] }, forms: ['contact'] },
  shop: { sites: [shop] },
  others: { otherwise: true },
  'others of jobs': { otherwise: true, forms: ['jobs'] },
  spam: { spam: true },
  'spam of sales': { spam: true, where: { topic: ['Sales'] } },
} satisfies Readonly<Record<string, Conditions>>;

it.each<[contact: Given, isSpam: boolean, expected: readonly (keyof typeof targets)[]]>([
  [sales, false, ['all', 'sales']],
  [{ form: 'contact', extra: { topic: ['Support', 'Sales'] } }, false, ['all', 'sales', 'support']],
  [{ site: shop }, false, ['all', 'shop']],
  // No target foresaw these.
  [{ extra: { topic: 'Press' } }, false, ['all', 'others']],
  [{ extra: { topic: 'Support' } }, false, ['all', 'others']],
  [{ form: 'jobs' }, false, ['all', 'others', 'others of jobs']],
  [{ ...sales, form: 'jobs' }, false, ['all', 'sales']],
  [{}, false, ['all', 'others']],
  [sales, true, ['spam', 'spam of sales']],
  [{}, true, ['spam']],
])('%j, spam: %j, reaches %j', (contact, isSpam, expected) => {
  const unmet = unmetConditions(new Map(Object.entries(targets)), contact, isSpam);
  expect([...unmet].filter(([, condition]) => condition === undefined).map(([name]) => name)).toEqual(expected);
});

it('a target for spam leaves what it does not get to no other, and one without conditions takes nothing away', () => {
  const given = new Map<string, Conditions>([
    ['all', { otherwise: false }],
    ['others', { otherwise: true }],
    ['spam', { spam: true, forms: ['sales'] }],
  ]);
  expect([...unmetConditions(given, { form: 'sales' }, false)]).toEqual([
    ['all', undefined],
    ['others', undefined],
    ['spam', 'spam'],
  ]);
});
