import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { contactCsvHeader } from '../../functions/contacts/csv.ts';
import { serve, type TestServer } from '../support/server.ts';
import { requiresPython, runSync } from './script.ts';

type Respond = (response: ServerResponse) => void;

const withBody =
  (status: number, body: string, headers = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end(body);

const page = `<!doctype html>\n<title>Another service</title>\n${'<p>Text</p>\n'.repeat(1_000)}`;

/** The responses that the script can get at a wrong base URL, or with a wrong token. */
const wrong: readonly [string, Respond][] = [
  ['an unknown path', withBody(404, '{"error":"Not Found"}')],
  ['an unknown stage', withBody(403, '{"message":"Forbidden"}')],
  ['an unknown token', withBody(401, '{"error":"Unauthorized"}')],
  ['a web page', withBody(200, page)],
  ['a missing web page', withBody(404, page)],
  ['a redirect', withBody(302, '', { Location: 'http://127.0.0.1:9/' })],
  ['an object', withBody(200, '{}')],
  ['a list of something else', withBody(200, '[{"id":1},null]')],
  ['a lost connection', (response) => void response.destroy()],
];

let respond: Respond;
let other: TestServer;
let folder: string;
beforeAll(async () => {
  other = await serve((_, response) => respond(response));
});
afterAll(() => other[Symbol.asyncDispose]());
beforeEach((context) => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  requiresPython(context);
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (url = other.url) => runSync(folder, { BASE_URL: url, STAFF_TOKEN: 'crcs_unknown' });

const failed = {
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(/^sync\.py failed: check BASE_URL and STAFF_TOKEN: .{1,300}\n$/),
};

it.each(wrong)('says what to check and leaves no file if it meets %s', async (_, given) => {
  respond = given;
  expect(await run()).toEqual(failed);
  expect(readdirSync(folder)).toEqual([]);
});

it('says what to check and leaves no file if nothing listens', async () => {
  const gone = await serve(() => {});
  await gone[Symbol.asyncDispose]();
  expect(await run(gone.url)).toEqual(failed);
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps its files as they are if another service has taken over the URL', async () => {
  const id = '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11';
  const list = JSON.stringify([{ id, createdAt: '2026-01-01T00:00:00.000Z' }]);
  respond = (response) => withBody(200, response.req.headers.accept === 'text/csv' ? contactCsvHeader : list)(response);
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
  const files = () => readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]);
  const before = files();
  expect(before).not.toEqual([]);
  respond = withBody(200, page);
  expect(await run()).toEqual(failed);
  expect(files()).toEqual(before);
});
