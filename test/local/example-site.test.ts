import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { serveSite } from '../../lib/local/example-site.ts';
import { send, sendRaw } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let origin: string;

const replacements = new Map<string, string>();

beforeAll(async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  const site = join(folder, 'site');
  mkdirSync(join(site, 'docs'), { recursive: true });
  writeFileSync(join(site, 'index.html'), '<a href="http://127.0.0.1:3000/a">http://127.0.0.1:3000</a>');
  writeFileSync(join(site, 'form.js'), 'fetch("http://127.0.0.1:3000")');
  writeFileSync(join(site, 'notes.txt'), 'http://127.0.0.1:3000');
  writeFileSync(join(site, 'docs', 'index.html'), 'docs é');
  writeFileSync(join(site, 'private.json'), '{}');
  const served = await serveSite({
    folder: site,
    port: 0,
    replacements,
    headers: { 'X-Content-Type-Options': 'nosniff' },
  });
  ({ origin } = served);
  return async () => {
    await served.close();
  };
});

const get = async (path: string) => {
  const { status, headers, text } = await send(`${origin}${path}`);
  expect(headers['x-content-type-options']).toBe('nosniff');
  return [status, headers['content-type'], text];
};

test('serves files with their type, and the index of a folder', async () => {
  expect(await get('/docs/')).toEqual([200, 'text/html; charset=utf-8', 'docs é']);
  expect(await get('/docs%5C')).toEqual([200, 'text/html; charset=utf-8', 'docs é']);
  expect(await get('/notes.txt?a=b')).toEqual([200, 'text/plain; charset=utf-8', 'http://127.0.0.1:3000']);
  expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
});

test('replaces texts in pages and scripts only', async () => {
  expect((await get('/form.js'))[2]).toBe('fetch("http://127.0.0.1:3000")');
  replacements.set('http://127.0.0.1:3000', 'http://127.0.0.1:4000');
  expect((await get('/'))[2]).toBe('<a href="http://127.0.0.1:4000/a">http://127.0.0.1:4000</a>');
  expect((await get('/form.js'))[2]).toBe('fetch("http://127.0.0.1:4000")');
  expect((await get('/notes.txt'))[2]).toBe('http://127.0.0.1:3000');
});

test('lets browsers keep a page, and what was typed into its form, for the way back', async () => {
  const { headers } = await send(`${origin}/docs/`);
  expect(headers['cache-control']).toBe('no-cache');
});

test.each(['/nothing.html', '/docs', '/private.json', '/%', '/%00.html'])('responds with 404 to %s', async (path) => {
  expect(await get(path)).toEqual([404, 'text/plain; charset=utf-8', 'Not Found\n']);
});

test.each(['/../secret.txt', '/docs/../../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/..%5csecret.txt'])(
  'serves nothing outside the folder: %s',
  async (path) => {
    const response = await sendRaw(origin, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 404 /);
  },
);
