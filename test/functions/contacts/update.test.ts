import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { releaseContact } from '../../../functions/contacts/manage-contacts.ts';
import { type ContactsService, idIn, idsIn, inboxOrigins, minimal, startContacts } from '../../support/contacts.ts';
import { meanwhile } from '../../support/relayed-clients.ts';
import { client } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

let now: Date;
let contacts: ContactsService;
beforeEach(async () => {
  now = noon;
  contacts = await startContacts(() => now);
});

const spam = { ...minimal, _gotcha: 'spam' };
const posted = async (body: unknown = minimal) => idIn(await contacts.post(body));

interface Sender {
  readonly name?: string;
  readonly service?: ContactsService;
}

const patch = (id: string, change: unknown, { name = 'Grace, "inbox" ü', service = contacts }: Sender = {}) =>
  service.update({
    pathParameters: { id },
    tokenId: '0123456789ab',
    tokenName: name,
    body: typeof change === 'string' ? change : JSON.stringify(change),
  });

const get = async (id: string) => (await contacts.get({ pathParameters: { id } })).body;
const listed = async (...query: [string, string][]) => idsIn(await contacts.list({ query }));
const stored = async (id: string) =>
  (await client.send(new GetCommand({ TableName: contacts.table, Key: { id }, ConsistentRead: true }))).Item;

/** Expects a response with the contact request as endpoint 3 then gives it. */
const expectShown = async (id: string, response: Awaited<ReturnType<typeof patch>>) => {
  expect(response.status, response.text).toBe(200);
  expect(response.body).toEqual(await get(id));
  return response.body;
};

describe('spam', () => {
  it('keeps the time of an earlier release when a mark is taken back', async () => {
    const id = await posted(spam);
    now = later(60);
    await patch(id, { spam: false });
    const released = await get(id);
    now = later(120);
    await patch(id, { spam: true });
    expect(await get(id)).toEqual({ ...Object(released), spamReason: 'staff' });
    now = later(180);
    await patch(id, { spam: false });
    expect(await get(id)).toEqual(released);
  });

  it('true leaves the reason of a defence', async () => {
    const id = await posted(spam);
    await patch(id, { spam: true });
    expect(await get(id)).toMatchObject({ spamReason: 'trap' });
  });
});

describe('answered', () => {
  it('true notes the time and the name of the token; false removes both', async () => {
    const id = await posted();
    const before = await get(id);
    now = later(60);
    expect(await expectShown(id, await patch(id, { answered: true }))).toEqual({
      ...Object(before),
      answeredAt: later(60).toISOString(),
      answeredBy: 'Grace, "inbox" ü',
    });
    expect(await expectShown(id, await patch(id, { answered: false }))).toEqual(before);
  });

  it('shows who answered in the list, and not in CSV', async () => {
    const id = await posted();
    await patch(id, { answered: true });
    expect((await contacts.list()).body).toEqual([await get(id)]);
    const csv = await contacts.list({ headers: { Accept: 'text/csv' } });
    expect(csv.text).not.toMatch(/answered|Grace/);
  });

  it('notes the id of the token while the authorizer does not give its name', async () => {
    const id = await posted();
    await contacts.update({ pathParameters: { id }, tokenId: '0123456789ab', body: '{"answered":true}' });
    expect(await get(id)).toMatchObject({ answeredBy: '0123456789ab' });
  });

  it('selects the list, whose cursors are of this selection alone', async () => {
    const ids = [await posted(), await posted(), await posted()];
    for (const id of ids.slice(0, 2)) await patch(id, { answered: true });
    const answered = ids.slice(0, 2).toSorted();
    expect((await listed(['answered', 'true'])).toSorted()).toEqual(answered);
    expect(await listed(['answered', 'false'])).toEqual(ids.slice(2));
    expect(await listed()).toHaveLength(3);
    const first = await contacts.list({
      query: [
        ['answered', 'true'],
        ['limit', '1'],
      ],
    });
    const cursor = new URL(/<(.*)>/.exec(String(first.headers['Link']))?.[1] ?? '').searchParams.get('cursor') ?? '';
    expect([...idsIn(first), ...(await listed(['answered', 'true'], ['cursor', cursor]))].toSorted()).toEqual(answered);
    for (const query of [[], [['answered', 'false']]] as const) {
      const response = await contacts.list({ query: [...query, ['cursor', cursor]] });
      expect(response).toMatchObject({ status: 400, body: { details: [{ field: 'cursor' }] } });
    }
  });
});

it('takes both at once', async () => {
  const id = await posted(spam);
  now = later(60);
  await patch(id, { spam: false, answered: true });
  const time = later(60).toISOString();
  expect(await get(id)).toMatchObject({ releasedAt: time, answeredAt: time });
});

it.each([{ spam: true }, { spam: false }, { answered: true }, { answered: false }, { spam: true, answered: true }])(
  'writes nothing if %j is so already, and the first time and name stay',
  async (change) => {
    for (const body of [minimal, spam]) {
      const id = await posted(body);
      await patch(id, change);
      const before = await stored(id);
      now = later(60);
      await expectShown(id, await patch(id, change, { name: 'Somebody else' }));
      expect(await stored(id)).toEqual(before);
    }
  },
);

it.each<[sent: unknown, details: readonly (readonly [field: string, code: string])[]]>([
  ['', [['body', 'malformed_json']]],
  ['{"spam":true', [['body', 'malformed_json']]],
  ['[{"spam":true}]', [['body', 'not_an_object']]],
  ['null', [['body', 'not_an_object']]],
  ['true', [['body', 'not_an_object']]],
  ['spam=true', [['body', 'malformed_json']]],
  [{}, [['body', 'no_change']]],
  [{ spam: 'true' }, [['spam', 'not_boolean']]],
  [
    { spam: null, answered: 1 },
    [
      ['spam', 'not_boolean'],
      ['answered', 'not_boolean'],
    ],
  ],
  [{ answeredBy: 'Ada', answered: true }, [['answeredBy', 'unknown_field']]],
  [
    '{"__proto__":true,"spam":[]}',
    [
      ['__proto__', 'unknown_field'],
      ['spam', 'not_boolean'],
    ],
  ],
])('refuses %j and changes nothing', async (sent, details) => {
  const id = await posted();
  const before = await stored(id);
  const { status, body } = await patch(id, sent);
  const expected = details.map(([field, code]) => ({ field, code, message: expect.stringMatching(/^[A-Z].*\.$/) }));
  expect({ status, body }).toEqual({ status: 400, body: { error: 'Bad Request', details: expected } });
  expect(await stored(id)).toEqual(before);
});

it('responds with 413 to more than 64 KiB', async () => {
  expect((await patch(await posted(), `{"spam":true${' '.repeat(64 * 1024)}}`)).status).toBe(413);
});

it.each(['00000000-0000-4000-8000-000000000000', 'no UUID'])(
  'responds with 404 to %s, and makes nothing',
  async (id) => {
    expect(await patch(id, { answered: true })).toMatchObject({ status: 404, text: '{"error":"Not Found"}' });
    expect(await stored(id)).toBeUndefined();
  },
);

it('responds with 404 to an expired one, and says until when another one is kept', async () => {
  contacts = await startContacts(() => now, { retentionDays: 30 });
  const id = await posted();
  const { headers } = await patch(id, { answered: true });
  expect(headers['Sunset']).toBe('Tue, 31 Mar 2026 12:00:00 GMT');
  now = later(30 * 24 * 60 * 60);
  expect((await patch(id, { answered: false })).status).toBe(404);
});

it('lets pages of inboxOrigins read the response, and an error', async () => {
  const [Origin] = inboxOrigins;
  const id = await posted();
  for (const body of ['{"answered":true}', '{}']) {
    const { headers } = await contacts.update({ pathParameters: { id }, headers: { Origin }, body });
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': Origin, Vary: 'Origin' });
  }
});

describe('at the same time', () => {
  /** The service, in which something happens between the read and the first write of a change. */
  const interrupted = async (act: () => Promise<unknown>) => {
    const { client: relayed, ...relay } = await meanwhile('UpdateItem', act);
    return { ...relay, service: await startContacts(() => now, {}, { client: relayed, table: contacts.table }) };
  };

  it('a deleted contact request stays deleted', async () => {
    const id = await posted();
    await using racing = await interrupted(() => contacts.delete({ pathParameters: { id } }));
    expect((await patch(id, { spam: true, answered: true }, racing)).status).toBe(404);
    expect(await stored(id)).toBeUndefined();
  });

  it('of two people who answer, the first one counts, and both learn it', async () => {
    const id = await posted();
    await using racing = await interrupted(() => patch(id, { answered: true }, { name: 'Ada' }));
    expect(await expectShown(id, await patch(id, { answered: true }, racing))).toMatchObject({ answeredBy: 'Ada' });
  });

  it('a change of one thing keeps the other', async () => {
    const id = await posted(spam);
    await using racing = await interrupted(() => patch(id, { spam: false }));
    await patch(id, { answered: true }, racing);
    expect(await get(id)).toMatchObject({ releasedAt: noon.toISOString(), answeredBy: 'Grace, "inbox" ü' });
    expect(await listed()).toEqual([id]);
  });

  it('a release by the staff command happens once', async () => {
    const id = await posted(spam);
    await using racing = await interrupted(() => releaseContact({ client, table: contacts.table }, id, later(1)));
    now = later(60);
    await patch(id, { spam: false }, racing);
    expect(await get(id)).toMatchObject({ releasedAt: later(1).toISOString() });
  });
});
