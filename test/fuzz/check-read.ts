import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { checkKnown } from './check-known.ts';
import type { Answer } from './client.ts';
import { expectError, expectRefusal, expectUnreadable, parseJson } from './expect.ts';
import type { Caller, Elsewhere, List, ListName, One, QueryValue, Raw } from './steps.ts';
import { type Contact, campaignSchema, contactSchema, type World, writeTime } from './world.ts';

const paths = { contacts: '/api/v1/contact', campaigns: '/v1/campaigns' } as const;

/** The status of a caller who may not do something; nothing for one who may. */
const refusalOf = (caller: Caller, permission: string): number | undefined => {
  if (caller === 'staff' || caller === 'bearer' || caller === permission) return undefined;
  return caller.includes(':') ? 403 : 401;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Fetches or deletes one thing by its id. */
export const checkOne = async (world: World, step: One): Promise<void> => {
  const { client, contacts } = world;
  const { of, id: which } = step;
  const method = of === 'campaigns' ? 'GET' : step.method;
  const nth = (there: number) => (of === 'contacts' ? world.nthContact(there)?.id : world.campaigns.at(there)?.id);
  const segment =
    'segment' in which ? which.segment : 'there' in which ? nth(which.there) : world.nthDeleted(which.deleted);
  if (segment === undefined) return;

  const request = {
    method,
    path: `${paths[of]}/${step.upperCase ? segment.toUpperCase() : segment}`,
    headers: world.headers(step.caller, step.origin),
  };
  const answer = await client.send(request);
  expectUnreadable(answer);
  const refused = refusalOf(step.caller, `${of}:${method === 'GET' ? 'read' : 'delete'}`);
  if (refused !== undefined) {
    expectError(answer, refused);
    return;
  }
  const id = uuid.test(segment) ? segment.toLowerCase() : '';
  const there = of === 'contacts' ? contacts.get(id)?.contact : world.campaigns.find((campaign) => campaign.id === id);
  if (!there) {
    expectError(answer, 404);
  } else if (method === 'GET') {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(parseJson(answer), there);
    await checkKnown(world, request, answer, step.known);
  } else {
    assert.equal(answer.status, 204, answer.text);
    assert.equal(answer.text, '');
    world.forget(id);
  }
};

const lists = { contacts: v.array(contactSchema), campaigns: v.array(campaignSchema) } as const;

const nextOf = ({ headers }: Answer): string | undefined => {
  const [, url] = /^<([^>]*)>; rel="next"$/.exec(String(headers['link'] ?? '')) ?? [];
  return url === undefined ? undefined : new URL(url).pathname + new URL(url).search;
};

/** A cursor that a list gives, if it has two pages. */
const cursorOf = async ({ client, headers }: World, list: ListName) => {
  const [name, order] = list.split(' ');
  const parameters = `limit=1${name === 'spam' ? '&spam=true' : ''}${order === undefined ? '' : `&order=${order}`}`;
  const path = `${paths[name === 'campaigns' ? 'campaigns' : 'contacts']}?${parameters}`;
  const next = nextOf(await client.send({ method: 'GET', path, headers: headers('staff', 'none') }));
  return next === undefined ? undefined : (new URLSearchParams(next.split('?')[1]).get('cursor') ?? undefined);
};

/** What a query asks for, as far as it is good, and the names of what is not. */
interface Asked {
  readonly query: string;
  readonly faults: readonly string[];
  readonly limit: number;
  readonly spam: boolean;
  readonly oldestFirst: boolean;
  readonly since: number;
  readonly until: number;
  readonly hasCursor: boolean;
}

/** The values that parameters of contact requests take. */
const choices = new Map([
  ['spam', ['true', 'false']],
  ['order', ['asc', 'desc']],
]);

const isNumberUpTo = (text: string, max: number) => /^[1-9][0-9]*$/.test(text) && Number(text) <= max;

const ask = async (world: World, { of, query }: List): Promise<Asked> => {
  const max = of === 'contacts' ? 200 : 1000;
  const asks = (name: string, text: string) => {
    const value = query.find(([asked]) => asked === name)?.[1];
    return of === 'contacts' && value !== undefined && 'text' in value && value.text === text;
  };
  const [spam, oldestFirst] = [asks('spam', 'true'), asks('order', 'asc')];
  const list = (spam ? 'spam' : of) + (oldestFirst ? ' asc' : '');
  const names = query.map(([name]) => name);
  const faults = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const times = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  let limit = of === 'contacts' ? 50 : 1000;
  let hasCursor = false;

  const write = async (name: string, value: QueryValue): Promise<string> => {
    if ('time' in value) {
      const instant = world.instantOf(value.time);
      if (name === 'since' || name === 'until') times[name] = instant;
      return writeTime(instant, value.time.offsetMinutes);
    }
    if ('cursorOf' in value) {
      const cursor = await cursorOf(world, value.cursorOf);
      hasCursor = true;
      if (cursor === undefined || value.cursorOf !== list || value.spoil !== '') faults.add(name);
      return (cursor ?? 'none') + value.spoil;
    }
    if (name === 'limit' && isNumberUpTo(value.text, max)) limit = Number(value.text);
    else if (of !== 'contacts' || !choices.get(name)?.includes(value.text)) faults.add(name);
    return value.text;
  };

  const written: string[] = [];
  for (const [name, value] of query) {
    written.push(`${encodeURIComponent(name)}=${encodeURIComponent(await write(name, value))}`);
  }
  return { query: written.join('&'), faults: [...faults], limit, spam, oldestFirst, hasCursor, ...times };
};

/** Rows of a CSV page by their header; no cell may be taken for a formula. */
const readCsv = (answer: Answer): Record<string, string>[] => {
  assert.match(String(answer.headers['content-type']), /^text\/csv; charset=utf-8/i);
  const rows: Record<string, string>[] = parse(answer.text, { columns: true });
  for (const cell of rows.flatMap((row) => Object.values(row))) assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
  return rows;
};

/** All that a list of contact requests must hold. */
const expectedContacts = (world: World, { spam, since, until }: Asked): Contact[] =>
  [...world.contacts.values()]
    .filter((stored) => stored.spam === undefined || stored.spam === spam)
    .map(({ contact }) => contact)
    .filter(({ createdAt }) => Date.parse(createdAt) >= since && Date.parse(createdAt) < until);

const isNewestFirst = (times: readonly string[]) => times.every((time, index) => time <= (times[index - 1] ?? time));

const checkContacts = (
  world: World,
  asked: Asked,
  pages: readonly (readonly { id: string }[])[],
  complete: boolean,
) => {
  const listed = pages.flat();
  for (const { id } of listed) {
    const stored = world.contacts.get(id);
    assert(stored, `the list holds ${id}, which is not there`);
    stored.spam ??= asked.spam;
    assert.equal(stored.spam, asked.spam, `${id} is in the wrong list`);
  }
  assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length, 'paging repeats nothing');
  const times = listed.map(({ id }) => world.contacts.get(id)?.contact.createdAt ?? '');
  assert(isNewestFirst(asked.oldestFirst ? times.toReversed() : times), 'in the order that was asked for');

  const expected = expectedContacts(world, asked);
  const expectedIds = new Set(expected.map(({ id }) => id));
  for (const { id } of listed) assert(expectedIds.has(id), `${id} is listed, and outside of since and until`);
  if (asked.hasCursor) return;
  // What must be on these pages: all of it, or what stands before their last.
  const last = times.at(-1) ?? '';
  const standsBefore = (time: string) => complete || (asked.oldestFirst ? time < last : time > last);
  const listedIds = new Set(listed.map(({ id }) => id));
  const missing = expected.filter(
    ({ id, createdAt }) => standsBefore(createdAt) && !listedIds.has(id) && world.contacts.get(id)?.spam !== undefined,
  );
  assert.deepEqual(missing, [], 'paging skips nothing');
};

/** Reads pages of a list. */
export const checkList = async (world: World, step: List): Promise<void> => {
  const { of, further } = step;
  const asked = await ask(world, step);
  const headers = { ...world.headers(step.caller, step.origin), ...(step.csv && { Accept: 'text/csv' }) };
  const pages: { id: string }[][] = [];
  let next: string | undefined = paths[of] + (asked.query === '' ? '' : `?${asked.query}`);
  for (let page = 0; page <= further && next !== undefined; page += 1) {
    const request = { method: 'GET', path: next, headers };
    const answer = await world.client.send(request);
    expectUnreadable(answer);
    const refused = refusalOf(step.caller, `${of}:read`);
    if (refused !== undefined) {
      expectError(answer, refused);
      return;
    }
    if (asked.faults.length > 0) {
      expectRefusal(answer, [{ status: 400, names: asked.faults }]);
      return;
    }
    assert.equal(answer.status, 200, answer.text);
    if (of === 'campaigns') await checkKnown(world, request, answer, step.known);
    else assert.equal(answer.headers['etag'], undefined, 'the list of contact requests has no tag');
    next = nextOf(answer);
    const items = step.csv ? readCsv(answer) : v.parse(lists[of], parseJson(answer));
    if (!step.csv) {
      for (const item of items) {
        const there =
          world.contacts.get(item['id'] ?? '')?.contact ?? world.campaigns.find(({ id }) => id === item['id']);
        assert.deepEqual(item, there, 'a list shows what is stored');
      }
    }
    assert(items.length <= asked.limit && (next === undefined || items.length === asked.limit), 'every page is full');
    pages.push(items.map((item) => ({ id: item['id'] ?? '' })));
  }
  if (of === 'contacts') {
    checkContacts(world, asked, pages, next === undefined);
  } else if (next === undefined && !asked.hasCursor) {
    assert.deepEqual(
      pages.flat().map(({ id }) => id),
      world.campaigns.map(({ id }) => id),
      'campaigns by name',
    );
  }
};

const endpoints = ['POST /api/v1/contact', 'OPTIONS /api/v1/contact', 'GET /api/v1/contact', 'GET /v1/campaigns'];

/** Asks for what is no endpoint. */
export const checkElsewhere = async (world: World, step: Elsewhere): Promise<void> => {
  const { method, path, caller, origin, body } = step;
  if (endpoints.includes(`${method} ${path}`)) return;
  const answer = await world.client.send({
    method,
    path,
    headers: world.headers(caller, origin),
    ...(body !== '' && { body: Buffer.from(body) }),
  });
  expectUnreadable(answer);
  if (method === 'HEAD') assert.deepEqual([answer.status, answer.text], [404, '']);
  else expectError(answer, 404);
};

/** Sends what may be no HTTP: whatever it is, the answer is one of the service's, and the service stays. */
export const checkRaw = async (world: World, { bytes }: Raw): Promise<void> => {
  const { client, headers } = world;
  const staff = headers('staff', 'none')['Authentication'] ?? '';
  const received = await client.sendBytes(bytes.replaceAll('%TOKEN%', staff).replaceAll('%HOST%', client.host));
  const [head = '', ...rest] = received.split('\r\n\r\n');
  if (received !== '') {
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
    assert(status !== undefined && Number(status) < 500, `malformed HTTP got ${received}`);
    const contentType = /^content-type: (.*)$/im.exec(head)?.[1];
    const text = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString();
    if (Number(status) >= 400 && text !== '') {
      const answer = { status: Number(status), headers: { 'content-type': contentType }, text };
      expectError(answer, answer.status);
    }
  }
};
