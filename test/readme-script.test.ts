import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testOnPosix } from './support/posix.ts';
import { runReadmeScript } from './support/readme-script.ts';
import { serve } from './support/server.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-script-'));
});
afterEach(() => rm(folder, { recursive: true }));

const contact = (id: string, times: { createdAt: string; releasedAt?: string }) => ({ id, ...times, message: id });
const asFile = (contacts: readonly object[]) => contacts.map((one) => `${JSON.stringify(one)}\n`).join('');

const earlier = [
  contact('a', { createdAt: '2026-03-01T12:00:30.000Z' }),
  contact('b', { createdAt: '2026-03-01T11:00:00.000Z', releasedAt: '2026-03-01T12:01:00.500Z' }),
];
const again = contact('a', { createdAt: '2026-03-01T12:00:30.000Z' });
const next = contact('c', { createdAt: '2026-03-01T12:02:00.000Z' });

/** A service whose list has two pages; the second is answered as told. */
const serveList = async (answerSecond: (response: ServerResponse) => void) => {
  const asked: (string | undefined)[] = [];
  const server = await serve(({ url, headers }, response) => {
    asked.push(url);
    if (headers['authentication'] !== 'crcs_token') response.writeHead(401).end('{"error":"Unauthorized"}');
    else if (url?.includes('cursor')) answerSecond(response);
    else {
      const link = `<http://${headers.host}/api/v1/contact?order=asc&cursor=x&until=y>; rel="next"`;
      response.writeHead(200, { Link: link }).end(JSON.stringify([again]));
    }
  });
  return { asked, ...server };
};

const whole = (response: ServerResponse) => response.writeHead(200).end(JSON.stringify([next]));

const run = (BASE_URL: string, STAFF_TOKEN = 'crcs_token', variables = {}) =>
  runReadmeScript(folder, { BASE_URL, STAFF_TOKEN, ...variables });
/** The script's file for a service, in the test's folder. */
const fileOf = (baseUrl: string) => `contacts.${baseUrl.replace('http://', '').replaceAll(/[:/]/g, '_')}.jsonl`;
const keep = (baseUrl: string, text: string) => writeFile(join(folder, fileOf(baseUrl)), text);
const kept = (baseUrl: string) => readFile(join(folder, fileOf(baseUrl)), 'utf8');
const files = async () => (await readdir(folder)).toSorted();

testOnPosix('reads everything the first time, into a file for its owner alone', async () => {
  await using server = await serveList(whole);
  expect(await run(server.url)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(server.asked[0]).toBe('/api/v1/contact?order=asc&limit=200');
  expect(await kept(server.url)).toBe(asFile([again, next]));
  expect(await files()).toEqual([fileOf(server.url), 'read-contacts.mjs']);
});

it('goes on from the last place, less one minute, and keeps each id once', async () => {
  await using server = await serveList(whole);
  await keep(server.url, asFile(earlier));
  expect(await run(server.url)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(server.asked).toEqual([
    '/api/v1/contact?order=asc&limit=200&since=2026-03-01T12:00:00.500Z',
    '/api/v1/contact?order=asc&cursor=x&until=y',
  ]);
  expect(await kept(server.url)).toBe(asFile([...earlier, next]));
});

const error = (status: number, phrase: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'Retry-After': '7' }).end(JSON.stringify({ error: phrase }));

it.each<[string, (response: ServerResponse) => void, string]>([
  ['a token that is revoked', error(401, 'Unauthorized'), '401 {"error":"Unauthorized"} (try again in 7 seconds)'],
  ['throttling', error(429, 'Too Many Requests'), '429 {"error":"Too Many Requests"} (try again in 7 seconds)'],
  [
    'an absent store',
    error(503, 'Service Unavailable'),
    '503 {"error":"Service Unavailable"} (try again in 7 seconds)',
  ],
  ['a lost connection', (response) => response.socket?.destroy(), 'fetch failed'],
  [
    'a connection lost within the answer',
    (response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write(JSON.stringify([next]), () => response.destroy());
    },
    'terminated',
  ],
  ['an answer that is none of the service', (response) => response.writeHead(200).end('<html>'), 'not valid JSON'],
])('%s on the second page ends it with one line and 1, and nothing is half-written', async (_, second, line) => {
  await using server = await serveList(second);
  await keep(server.url, asFile(earlier));
  const { code, stdout, stderr } = await run(server.url);
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 });
  expect(stderr).toContain(`Failed, and left ${fileOf(server.url)} as it was: `);
  expect(stderr).toContain(line);
  expect(await kept(server.url)).toBe(asFile(earlier));
  expect(await files()).toEqual([fileOf(server.url), 'read-contacts.mjs']);
});

it('ends with one line and 1 where nobody listens, or the token is wrong, and makes no file', async () => {
  const server = await serveList(whole);
  const wrong = await run(server.url, 'crcs_another');
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/401 \{"error":"Unauthorized"\}\n$/) });
  expect(wrong.stderr).not.toContain('crcs_another');
  await server[Symbol.asyncDispose]();
  expect(await run(server.url)).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
  expect(await files()).toEqual(['read-contacts.mjs']);
});

it('reads everything of each service, whatever it read of others in the same folder', async () => {
  await using tried = await serveList(whole);
  await using deployed = await serveList(whole);
  for (const baseUrl of [tried.url, deployed.url, `${deployed.url}/prod`]) {
    expect(await run(baseUrl)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await kept(baseUrl)).toBe(asFile([again, next]));
  }
  expect([tried.asked[0], deployed.asked[0], deployed.asked[2]]).toEqual([
    '/api/v1/contact?order=asc&limit=200',
    '/api/v1/contact?order=asc&limit=200',
    '/prod/api/v1/contact?order=asc&limit=200',
  ]);
});

it('takes a base URL with a slash at its end for the same service', async () => {
  await using server = await serveList(whole);
  for (const end of ['', '/']) expect(await run(`${server.url}/prod${end}`)).toMatchObject({ code: 0, stderr: '' });
  expect(server.asked[2]).toBe('/prod/api/v1/contact?order=asc&limit=200&since=2026-03-01T12:01:00.000Z');
  expect(await files()).toEqual([fileOf(`${server.url}/prod`), 'read-contacts.mjs']);
});

it('says which base URL is none', async () => {
  expect(await run('example.com/prod')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('example.com/prod/api/v1/contact'),
  });
  expect(await files()).toEqual(['read-contacts.mjs']);
});

/** Loaded before the script: has the next run begin and end between the moment when this one has written and when it is done. */
const anotherRunWithin = `
  import { spawnSync } from 'node:child_process';
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { renameSync } = fs;
  fs.renameSync = (...names) => {
    const { status } = spawnSync(process.execPath, ['read-contacts.mjs'], { env: { ...process.env, NODE_OPTIONS: '' } });
    console.log('The other run ended with', status);
    renameSync(...names);
  };
  syncBuiltinESMExports();`;

it('runs twice at once, each with a whole file of its own', async () => {
  let later = 0;
  await using server = await serveList((response) => {
    later += 1;
    response.writeHead(200).end(JSON.stringify(later === 1 ? [next] : []));
  });
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(anotherRunWithin)}`;
  const both = await run(server.url, undefined, { NODE_OPTIONS });
  expect(both).toEqual({ code: 0, stdout: 'The other run ended with 0\n', stderr: '' });
  expect(await kept(server.url)).toBe(asFile([again, next]));
  expect(await files()).toEqual([fileOf(server.url), 'read-contacts.mjs']);
});

it('leaves nothing behind when its file cannot be put in place', async () => {
  await using server = await serveList((response) => {
    mkdirSync(join(folder, fileOf(server.url)));
    whole(response);
  });
  expect(await run(server.url)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Failed, .*\n$/) });
  expect(await files()).toEqual([fileOf(server.url), 'read-contacts.mjs']);
});

const [first, second] = earlier.map((one) => JSON.stringify(one));

it.each([
  ['cut', `${first}\n${second?.slice(0, 40)}`, 2],
  ['cut, with the next behind it', `${first}\n\n${first?.slice(0, 40)}${second}\n${second}\n`, 3],
  ['no contact request', `null\n${second}\n`, 1],
  ['without a time', `${first}\n{"id":"b"}\n`, 2],
])('says which line of the file is broken (%s), asks for nothing and changes nothing', async (_, text, line) => {
  await using server = await serveList(whole);
  await keep(server.url, text);
  const file = fileOf(server.url);
  expect(await run(server.url)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed, and left ${file} as it was: its line ${line} is broken: repair it, or move the file away to read everything anew\n`,
  });
  expect(server.asked).toEqual([]);
  expect(await kept(server.url)).toBe(text);
});
