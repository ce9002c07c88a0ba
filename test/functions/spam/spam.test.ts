import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { contentHash } from '../../../functions/contacts/contact-store.ts';
import { deleteIfListed } from '../../../functions/contacts/manage-contacts.ts';
import { sitesByOrigin } from '../../../functions/pages/sites.ts';
import type { Defences } from '../../../functions/spam/defences.ts';
import {
  type ContactsService,
  germanSite,
  idIn,
  idsIn,
  minimal,
  siteOrigin,
  startContacts,
  startForms,
} from '../../support/contacts.ts';
import { client } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const thisMinute = Math.floor(noon.getTime() / 60_000);

/** Few enough to find a nonce at once. */
const bits = 12;

/** No two requests have the same time: if the store is slow and the SDK retries, the time tells their items apart. */
const ticking = () => {
  let time = noon.getTime();
  return () => {
    time += 1;
    return new Date(time);
  };
};

const settingsOf = (spam: Partial<Defences['spam']>) => ({
  spam: { traps: ['_gotcha', 'fax'], requireTrap: false, ...spam },
});

/** Without a database. */
const endpointWith = (spam: Partial<Defences['spam']>) => startForms(settingsOf(spam), () => noon);

const start = (spam: Partial<Defences['spam']>): Promise<ContactsService> => startContacts(ticking(), settingsOf(spam));

/** Why the stored contact request is spam. */
const reasonFor = async ({ table }: ContactsService, id: string): Promise<unknown> => {
  const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id } }));
  const { spamReason, listPartition } = Object(item);
  expect(listPartition).toBe(spamReason === undefined ? 'inbox' : 'spam');
  return spamReason;
};

const zeroBits = (origin: string, key: string, proof: string): number =>
  Math.clz32(createHash('sha256').update(`${origin} ${key} ${proof}`).digest().readUInt32BE());

/** The first proof with enough zero bits, or with exactly so many; `end` is the end of its nonce. */
const proofOf = ({ origin = siteOrigin, key = 'k', minute = thisMinute, pad = 0, end = '', exactly = 0 } = {}) => {
  for (let nonce = 0; ; nonce += 1) {
    const proof = `${minute}.${String(nonce).padStart(pad, '-')}${end}`;
    const found = zeroBits(origin, key, proof);
    if (exactly > 0 ? found === exactly : found >= bits) return proof;
  }
};

/** The first key for which this is a proof. */
const keyFor = (proof: string): string => {
  for (let key = 0; ; key += 1) if (zeroBits(siteOrigin, String(key), proof) >= bits) return String(key);
};

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };

const bodyOf = (fields: Readonly<Record<string, string>>, type: string): string => {
  if (type === form['Content-Type']) return new URLSearchParams(fields).toString();
  if (type !== multipart['Content-Type']) return JSON.stringify(fields);
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--b--\r\n`;
};

describe('a trap', () => {
  it('marks as spam if any of the configured traps is filled, and is not stored', async () => {
    const { post, stored } = endpointWith({});
    const traps = { fax: '', _gotcha: '', other: 'kept' };
    for (const filled of [{ fax: 'x' }, { _gotcha: 'x' }, {}]) await post({ ...minimal, ...traps, ...filled });
    expect(stored.map(({ spam }) => spam)).toEqual(['trap', 'trap', false]);
    expect(stored.map(({ fields }) => fields.extra)).toEqual(Array(3).fill({ other: 'kept' }));
  });

  it('counts as filled with a value of 490 nested lists', async () => {
    const { create, stored } = endpointWith({});
    const lists = `${'['.repeat(490)}${']'.repeat(490)}`;
    const body = `${JSON.stringify(minimal).slice(0, -1)},"_gotcha":${lists}}`;
    expect((await create({ headers: { 'Content-Type': 'application/json' }, body })).status).toBe(201);
    expect(stored).toMatchObject([{ spam: 'trap' }]);
  });
});

describe('requireTrap', () => {
  it.each([
    ['a form without a trap', form, {}, 'no trap'],
    ['a multipart form without a trap', multipart, {}, 'no trap'],
    ['a form with a blank trap', form, { _gotcha: '' }, false],
    ['a multipart form with another trap', multipart, { fax: '' }, false],
    ['a form with a filled trap', form, { fax: 'x' }, 'trap'],
    ['JSON without a trap', { 'Content-Type': 'application/json' }, {}, false],
    ['JSON as a text without a trap', { 'Content-Type': 'text/plain' }, {}, false],
    ['a form from a browser without a script', { ...form, Accept: 'text/html' }, {}, 'no trap'],
  ])('judges %s', async (_, headers, fields, reason) => {
    const { create, stored } = endpointWith({ requireTrap: true });
    const body = bodyOf({ ...minimal, ...fields }, headers['Content-Type']);
    expect((await create({ headers, body })).status).toBe(201);
    expect(stored).toMatchObject([{ spam: reason }]);
  });
});

describe('a proof of work', () => {
  const valid = { _proof: proofOf() };
  const key = { 'Idempotency-Key': 'k' };
  const page = { Origin: siteOrigin };
  const minutes = (off: number) => ({ _proof: proofOf({ minute: thisMinute + off }) });

  it.each<[proof: string, fields: object, headers?: Readonly<Record<string, string>>]>([
    ['as the script sends it', valid],
    ['with the key as a field', { ...valid, 'idempotency-key': 'k' }, page],
    ['with the key as header and as another field', { ...valid, 'idempotency-key': 'other' }],
    ['a day ago', minutes(-1440)],
    ['in a day', minutes(1440)],
    ['with a nonce of 32 characters', { _proof: proofOf({ pad: 32 }) }],
    ['with exactly as many bits as needed', { _proof: proofOf({ exactly: bits }) }],
  ])('is accepted %s', async (_, fields, headers = { ...page, ...key }) => {
    const { post, stored } = endpointWith({ proofBits: bits });
    await post({ ...minimal, ...fields }, headers);
    expect(stored).toMatchObject([{ spam: false }]);
    expect(stored.map((contact) => contact.fields)).toEqual([minimal]);
  });

  it.each<[proof: string, fields: object, headers?: Readonly<Record<string, string>>]>([
    ['missing', {}],
    ['of one bit too few', { _proof: proofOf({ exactly: bits - 1 }) }],
    ['for another key', { _proof: proofOf({ key: 'other' }) }],
    ['without a key', { _proof: proofOf({ key: 'undefined' }) }, page],
    ['for another origin', { _proof: proofOf({ origin: germanSite.origin }) }],
    ['for no origin', { _proof: proofOf({ origin: 'undefined' }) }, key],
    ['for the origin null', { _proof: proofOf({ origin: 'null' }) }, { ...key, Origin: 'null' }],
    ['more than a day ago', minutes(-1441)],
    ['in more than a day', minutes(1441)],
    ['with a nonce of 33 characters', { _proof: proofOf({ pad: 33 }) }],
    ['with other characters', { _proof: proofOf({ end: '%' }) }],
    ['with a line break at its end', { _proof: proofOf({ end: '\n' }) }],
    ['without a nonce', { _proof: `${thisMinute}.` }, { ...page, 'Idempotency-Key': keyFor(`${thisMinute}.`) }],
    ['in a list', { _proof: [valid._proof] }],
    ['that is a number', { _proof: 1 }],
    ['that is an object', { _proof: { minute: thisMinute } }],
    ['of 60,000 characters', { _proof: `${thisMinute}.${'x'.repeat(60_000)}` }],
  ])('is no proof if it is %s', async (_, fields, headers = { ...page, ...key }) => {
    const { post, stored } = endpointWith({ proofBits: bits });
    expect((await post({ ...minimal, ...fields }, headers)).status).toBe(201);
    expect(stored).toMatchObject([{ spam: 'no proof' }]);
  });

  it('must have more bits after the setting is raised', async () => {
    const fields = { ...minimal, _proof: proofOf({ exactly: bits }) };
    const { post, stored } = endpointWith({ proofBits: bits + 1 });
    await post(fields, { ...page, ...key });
    expect(stored).toMatchObject([{ spam: 'no proof' }]);
  });

  it.each([
    ['of one content is stored once', () => minimal, 201],
    ['of many contents buys one of them', (at: number) => ({ ...minimal, company: String(at) }), 422],
  ])('that is sent 20 times at once %s', async (_, fieldsOf, status) => {
    const contacts = await start({ proofBits: bits });
    const posts = Array.from({ length: 20 }, (_, at) =>
      contacts.post({ ...fieldsOf(at), ...valid }, { ...page, ...key }),
    );
    const responses = await Promise.all(posts);
    const isFirst = (response: (typeof responses)[number]) =>
      response.status === 201 && response.headers['Idempotent-Replayed'] === undefined;
    expect(responses.filter(isFirst)).toHaveLength(1);
    expect(responses.filter((response) => !isFirst(response) && response.status === status)).toHaveLength(19);
    expect(idsIn(await contacts.list())).toHaveLength(1);
  });

  it('is missing from a page that hides its origin, even if there is only one site', async () => {
    const sites = sitesByOrigin([{ origin: siteOrigin, language: 'en' }]);
    const { post, stored } = startForms({ ...settingsOf({ proofBits: bits }), sites }, () => noon);
    for (const Origin of ['null', siteOrigin]) await post({ ...minimal, ...valid }, { Origin, ...key });
    expect(stored.map(({ spam }) => spam)).toEqual(['no proof', false]);
  });

  it('is missing from a plain form, which has no key of its own', async () => {
    const { create, stored } = endpointWith({ proofBits: bits });
    const key = ['plain form', siteOrigin, contentHash(minimal)].join(' ');
    await create({
      headers: { ...form, ...page, Accept: 'text/html' },
      body: bodyOf({ ...minimal, _proof: proofOf({ key }) }, form['Content-Type']),
    });
    expect(stored).toMatchObject([{ spam: 'no proof', storageKey: expect.stringContaining(key) }]);
  });
});

it.each<[fields: object, reason: string | false]>([
  [{ _gotcha: 'x' }, 'trap'],
  [{}, 'no trap'],
  [{ fax: '' }, 'no proof'],
  [{ fax: '', _proof: proofOf() }, 'sender'],
  [{ fax: '', _proof: proofOf(), email: 'grace@example.org' }, 'links'],
  [{ fax: '', _proof: proofOf(), email: 'grace@example.org', site: 'none' }, 'words'],
  [{ fax: '', _proof: proofOf(), email: 'grace@example.org', site: 'none', message: 'Hello' }, 'captcha'],
])('keeps the first reason: of %j, %s; and asks no captcha about what is already caught', async (fields, reason) => {
  const asked: string[] = [];
  const { create, stored } = startForms(
    {
      ...settingsOf({
        requireTrap: true,
        proofBits: bits,
        content: { senders: ['@example.com'], links: 0, words: ['casino'] },
      }),
      captcha: async () => (asked.push('captcha') === 0 ? 'solved' : 'unsolved'),
    },
    () => noon,
  );
  const all = { ...minimal, message: 'A casino', site: 'www.example.com', ...fields };
  await create({
    headers: { ...form, Origin: siteOrigin, 'Idempotency-Key': 'k' },
    body: bodyOf(all, form['Content-Type']),
  });
  expect(stored).toMatchObject([{ spam: reason }]);
  expect(asked).toEqual(reason === 'captcha' ? ['captcha'] : []);
});

it('responds the same, with the same id, whether it is caught or not', async () => {
  const key = { 'Idempotency-Key': 'k', Origin: siteOrigin };
  const good = { ...minimal, _proof: proofOf() };
  const lenient = await start({ proofBits: bits });
  const strict = await start({ proofBits: bits });
  const accepted = await lenient.post(good, key);
  const caught = await strict.post(minimal, key);
  expect(caught).toStrictEqual(accepted);
  expect(await strict.post(good, key)).toStrictEqual(await lenient.post(minimal, key));
  expect(await reasonFor(lenient, idIn(accepted))).toBeUndefined();
  expect(await reasonFor(strict, idIn(caught))).toBe('no proof');
  const shown = await strict.get({ pathParameters: { id: idIn(caught) } });
  expect({ ...Object(shown.body), success: true }).toStrictEqual({ ...Object(caught.body), spamReason: 'no proof' });
});

it('responds to a repeat of a deleted one the same, whether that was caught or not', async () => {
  const key = { 'Idempotency-Key': 'k', Origin: siteOrigin };
  const strict = await start({ proofBits: bits });
  const lenient = await start({});
  const caught = idIn(await strict.post(minimal, key));
  const accepted = idIn(await lenient.post(minimal, key));
  expect(await deleteIfListed({ client, table: strict.table }, caught, true)).toBe(true);
  await lenient.store.delete(accepted, noon);
  const again = await strict.post(minimal, key);
  expect(again).toStrictEqual(await lenient.post(minimal, key));
  expect(again.headers).not.toHaveProperty('Idempotent-Replayed');
});
