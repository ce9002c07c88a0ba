import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { bodyOf } from './body.ts';
import type { Answer } from './client.ts';
import { type Fields, isValidKey, verdictOf } from './contract.ts';
import { expectError, expectPage, expectReadable, expectRefusal, parseJson } from './expect.ts';
import type { Create } from './steps.ts';
import { type Contact, contactSchema, type World } from './world.ts';

const path = '/api/v1/contact';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** How long the same plain form is stored once, and how far two clocks' readings may be apart. */
const [minute, slack] = [60_000, 5_000];

/** The contact request of an id, as endpoint 3 shows it. */
export const fetchContact = async ({ client, headers }: World, id: string): Promise<Contact> => {
  const answer = await client.send({ method: 'GET', path: `${path}/${id}`, headers: headers('staff', 'none') });
  assert.equal(answer.status, 200, `GET of ${id}, just created: ${answer.text}`);
  return v.parse(contactSchema, parseJson(answer));
};

/** The contact request that a 201 tells of, which must be what was sent; its site is that of the page that sent it first. */
const storedIn = async (
  world: World,
  answer: Answer,
  fields: Fields,
  origin: Create['origin'],
  asPage: boolean,
): Promise<Contact> => {
  assert.equal(answer.status, 201, answer.text);
  const id = String(answer.headers['location']).split(`${path}/`)[1] ?? '';
  assert.match(id, uuid);
  const contact = await fetchContact(world, id);
  assert.match(contact.createdAt, timestamp);
  const site = (world.contacts.get(id)?.contact ?? { site: origin === 'site' ? world.siteOrigin : undefined }).site;
  const whole = { id, createdAt: contact.createdAt, ...fields, ...(site !== undefined && { site }) };
  assert.deepEqual(contact, whole, 'what is stored is what was sent');
  if (asPage) expectPage(answer);
  else assert.deepEqual(parseJson(answer), contact, 'what is answered is what is stored');
  return contact;
};

/** The key as a field of the body, in place of the header. */
const withKeyField = (create: Create, key: string): Create => {
  const { type, fields } = create;
  return key === ''
    ? create
    : { ...create, fields: [...fields, ['idempotency-key', type === 'json' ? JSON.stringify(key) : key]] };
};

/** Posts, and compares what comes back with what the contract says. @param nonce no other scenario has it */
export const checkCreate = async (world: World, step: Create, nonce: string): Promise<void> => {
  const { client, keys, contacts } = world;
  const asSent = isValidKey(step.key) ? (nonce + step.key).slice(0, 255) : step.key;
  const create = step.keyIn === 'field' ? withKeyField(step, asSent) : step;
  // A blank field counts as absent.
  const key = step.keyIn === 'field' ? asSent.trim() : asSent;
  const { bytes, contentType } = bodyOf(create);
  // No form sends JSON: whoever does is no browser that posts one.
  const isJson = /^\s*application\/json\s*(;|$)/i.test(contentType ?? '');
  const asPage = create.accept.startsWith('text/html') && !isJson;
  const request = {
    method: 'POST',
    path,
    headers: {
      ...world.headers('nobody', create.origin),
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      ...(create.accept !== '' && { Accept: create.accept }),
      ...(step.keyIn === 'header' && key !== '' && { 'Idempotency-Key': key }),
    },
    body: bytes,
  };
  const sentAt = Date.now();
  const answers = await Promise.all(Array.from({ length: create.twice ? 2 : 1 }, () => client.send(request)));
  for (const answer of answers) expectReadable(answer, create.origin, world.siteOrigin);

  const verdict = verdictOf(create, bytes);
  if ('refusals' in verdict) {
    for (const answer of answers) expectRefusal(answer, verdict.refusals, asPage);
    return;
  }
  const earlier = key === '' ? undefined : keys.get(key);
  if (earlier && !isDeepStrictEqual(earlier.fields, verdict.stored)) {
    for (const answer of answers)
      expectRefusal(
        answer,
        [{ status: 422, names: [step.keyIn === 'header' ? 'Idempotency-Key' : 'idempotency-key'] }],
        asPage,
      );
    return;
  }

  let created = 0;
  for (const answer of answers) {
    const contact = await storedIn(world, answer, verdict.stored, create.origin, asPage);
    const known = contacts.get(contact.id);
    const replayed = answer.headers['idempotent-replayed'] === 'true';
    if (known) {
      if (key === '') {
        assert(asPage, 'without a key each post is stored');
        assert(Date.parse(contact.createdAt) > sentAt - minute - slack, 'a plain form is stored again after a minute');
      } else {
        assert.equal(contact.id, (earlier ?? keys.get(key))?.id, 'a key gives the first answer again');
      }
    } else {
      assert.equal(earlier, undefined, 'a key is stored once');
      created += 1;
      world.remember(contact, verdict.spam, key === '' ? undefined : key);
    }
    if (!asPage && key === '') assert(!replayed, 'nothing is replayed without a key');
  }
  if (key !== '') assert(created <= 1, 'a key is stored once, also when both arrive at the same moment');
  if (key !== '' && !asPage) {
    const replays = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length;
    assert.equal(replays, answers.length - created, 'Idempotent-Replayed stands on replays, and on nothing else');
  }
};

/** Asks for leave to post, as a browser does before it sends JSON. */
export const checkPreflight = async (world: World, origin: Create['origin']): Promise<void> => {
  const answer = await world.client.send({
    method: 'OPTIONS',
    path,
    headers: {
      ...world.headers('nobody', origin),
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,idempotency-key',
    },
  });
  if (answer.status >= 400) expectError(answer, 403);
  expectReadable(answer, origin, world.siteOrigin);
  if (origin !== 'site') return;
  assert(answer.status === 200 || answer.status === 204, `a preflight got ${answer.status}`);
  assert.match(String(answer.headers['access-control-allow-methods']), /\bPOST\b/);
  for (const name of [/\bcontent-type\b/i, /\bidempotency-key\b/i]) {
    assert.match(String(answer.headers['access-control-allow-headers']), name);
  }
};
