import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { EnvironmentInput } from '../../../lib/infrastructure/settings.ts';
import { type Contact, contactList, createdContact } from '../../acceptance/contact.ts';
import { nextQuery, sendTo } from '../../acceptance/http.ts';
import { listContacts } from '../contacts.ts';

/** Settings of 4.0.0, which every later version reads. */
export const settingsOfThen = {
  forms: {
    survey: { required: ['comments'] },
    order: { required: ['message', 'email|phone', 'topic'], subject: 'A customer' },
  },
  spam: { traps: ['website_url', '_gotcha'] },
  retentionDays: 365,
} satisfies Partial<EnvironmentInput>;

const trapped = { website_url: 'https://example.com' };

/** What visitors send to 4.0.0, by a name. */
const requests = {
  topics: { email: 'ada@example.com', message: 'Which tea?', 'your-name': 'Ada Lovelace', topics: ['Tea', 'Cake'] },
  survey: { 'form-name': 'survey', comments: 'A fine shop', rating: '5' },
  otherNames: { _replyto: 'grace@example.com', message: 'Please call', tel: '+1 202 555 0142' },
  campaign: { email: 'visitor@example.com', message: 'I saw your advert', utm_campaign: 'spring-sale' },
  mention: { email: 'friend@example.com', message: 'For a friend', friend: 'grace@example.com' },
  spam: { email: 'bot@example.com', message: 'Buy this', ...trapped },
  caught: { email: 'honest@example.com', message: 'I am no bot', ...trapped },
  released: { email: 'customer@example.com', message: 'My order', ...trapped },
};

type RequestName = keyof typeof requests;

/** A running environment, deployed or local, of 4.0.0 or of this version. */
export interface Place {
  readonly baseUrl: string;
  readonly token: string;
  /** Runs the staff command of its version. @returns what it printed */
  staff(...args: string[]): Promise<string>;
}

interface DataOfThen {
  /** What a request got. */
  responseTo(name: RequestName): Contact;
  /** The list of 4.0.0, with spam at its end. */
  readonly contacts: readonly Contact[];
  /** The query of the list's second page. */
  readonly secondPage: string;
}

const pageSize = 3;

const post = ({ baseUrl }: Place, fields: object, headers: Readonly<Record<string, string>> = {}) =>
  sendTo(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  });

const list = async ({ baseUrl, token }: Place, query: string) => {
  const page = await sendTo(`${baseUrl}/api/v1/contact${query}`, { headers: { Authentication: token } });
  return { contacts: v.parse(contactList, page.body), next: nextQuery(page) };
};

const idsOf = (contacts: readonly { readonly id: string }[]): string[] => contacts.map(({ id }) => id);

/** Sends all requests to 4.0.0, each with its name as the key, and releases one from spam. */
export const fillOldest = async (place: Place): Promise<DataOfThen> => {
  const responses = new Map<string, Contact>();
  for (const [name, fields] of Object.entries(requests)) {
    const { body } = await post(place, fields, { 'Idempotency-Key': name });
    responses.set(name, v.parse(createdContact, body));
  }
  const responseTo = (name: RequestName) => responses.get(name) ?? assert.fail();
  await place.staff('contacts', 'release', responseTo('released').id);
  const { next: secondPage } = await list(place, `?limit=${pageSize}`);
  assert.ok(secondPage);
  return { responseTo, contacts: await listContacts(place.baseUrl, place.token), secondPage };
};

/** The API lists all of it as before, and goes on from a page of before. */
const checkLists = async (place: Place, { responseTo, contacts, secondPage }: DataOfThen): Promise<void> => {
  assert.deepEqual(await listContacts(place.baseUrl, place.token), contacts);
  const isSpam = new Set(idsOf([responseTo('spam'), responseTo('caught')]));
  const notSpam = idsOf(contacts).filter((id) => !isSpam.has(id));
  assert.deepEqual(idsOf((await list(place, secondPage)).contacts), notSpam.slice(pageSize, 2 * pageSize));
};

/** A script that got no response before the upgrade sends again, with the same key. */
const checkReplays = async (place: Place, { responseTo }: DataOfThen): Promise<void> => {
  for (const name of ['topics', 'spam', 'released'] as const) {
    const key = { 'Idempotency-Key': name };
    const { headers, body } = await post(place, requests[name], key);
    assert.equal(headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(body, { success: true, ...responseTo(name) });
    assert.equal((await post(place, { ...requests[name], message: 'Something else' }, key)).status, 422);
  }
};

const created = v.object({ id: v.string(), message: v.exactOptional(v.string()) });

const refused = v.object({ details: v.array(v.object({ field: v.string(), code: v.string() })) });

/** The settings of 4.0.0 do what they did, for forms as they are. */
const checkSettings = async (place: Place): Promise<void> => {
  const errorsOf = async (fields: object) => v.parse(refused, (await post(place, fields)).body).details;
  const required = (field: string) => [{ field, code: 'required' }];
  assert.deepEqual(await errorsOf({ ...requests.survey, comments: ' ' }), required('comments'));
  assert.deepEqual(await errorsOf({ 'form-name': 'order', message: 'Hello', topic: 'Tea' }), required('email'));
  const { message } = v.parse(created, (await post(place, requests.survey)).body);
  assert.equal(message, requests.survey.comments);
  const { id } = v.parse(created, (await post(place, requests.spam)).body);
  assert.ok(idsOf((await list(place, '?spam=true')).contacts).includes(id));
};

/** @param notified waits until the targets got the contact request */
const checkRelease = async (place: Place, { responseTo }: DataOfThen, notified: (id: string) => Promise<unknown>) => {
  const { id } = responseTo('caught');
  await place.staff('contacts', 'release', id);
  await notified(id);
};

const checkErasure = async (place: Place, { responseTo, contacts }: DataOfThen): Promise<void> => {
  await place.staff('contacts', 'erase', '--email', 'grace@example.com', '--yes');
  const left = idsOf(await listContacts(place.baseUrl, place.token));
  const gone = idsOf(contacts).filter((id) => !left.includes(id));
  assert.deepEqual(new Set(gone), new Set(idsOf([responseTo('otherNames'), responseTo('mention')])));
};

/** Works with what 4.0.0 stored, as scripts, visitors and staff do. It changes the data. */
export const checkOldest = async (
  place: Place,
  data: DataOfThen,
  notified: (id: string) => Promise<unknown>,
): Promise<void> => {
  await checkLists(place, data);
  await checkReplays(place, data);
  await checkSettings(place);
  await checkRelease(place, data, notified);
  await checkErasure(place, data);
};
