import { expect, test } from 'vitest';
import { campaignsPath, contactPath, create, deleteContact, sendAsStaff } from './client.ts';
import { expectError } from './expect-error.ts';
import type { ApiResponse } from './http.ts';
import { requestHead, sendRaw } from './raw-http.ts';
import { target } from './target.ts';

const tagOf = ({ headers }: ApiResponse): string => {
  const tag = headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  return tag;
};

const askAgain = (path: string, known: string) => sendAsStaff(path, { headers: { 'If-None-Match': known } });

const expectNotModified = (response: ApiResponse, { headers }: ApiResponse): void => {
  expect([response.status, response.text]).toEqual([304, '']);
  for (const name of ['etag', 'cache-control', 'link']) expect(response.headers.get(name)).toBe(headers.get(name));
};

test('responds with 304 for an unchanged contact request, campaign, and list of campaigns', async () => {
  const { id } = await create();
  const campaigns = await sendAsStaff(`${campaignsPath}?limit=1`);
  const [campaign] = campaigns.text.match(/[0-9a-f-]{36}/) ?? [];
  const paths = [
    `${contactPath}/${id}`,
    ...(campaign === undefined ? [] : [`${campaignsPath}/${campaign}`]),
    ...[campaignsPath, `${campaignsPath}?limit=1`],
  ];
  for (const path of paths) {
    const response = await sendAsStaff(path);
    const tag = tagOf(response);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) expectNotModified(await askAgain(path, known), response);
    for (const known of ['"x"', tag.slice(1, -1), `${tag} x`]) {
      const again = await askAgain(path, known);
      expect([again.status, again.text, tagOf(again)]).toEqual([200, response.text, tag]);
    }
  }
});

test('reads several If-None-Match headers as one list', async () => {
  const response = await sendAsStaff(campaignsPath);
  const headers = ['"x"', tagOf(response), '"y"'].map((tag) => `If-None-Match: ${tag}`);
  const head = requestHead('GET', campaignsPath, `Authentication: ${target.staffToken}`, ...headers);
  expectNotModified(await sendRaw(head), response);
});

test('ignores If-None-Match in errors', async () => {
  const { id } = await create();
  const path = `${contactPath}/${id}`;
  const tag = tagOf(await sendAsStaff(path));
  expectError(await sendAsStaff(path, { headers: { Authentication: 'nonsense', 'If-None-Match': tag } }), 401, [
    'Authentication',
  ]);
  await deleteContact(id);
  for (const known of [tag, '*']) expectError(await askAgain(path, known), 404);
  expectError(await askAgain(`${campaignsPath}?limit=0`, '*'), 400, ['limit']);
});

test('the list of contact requests has no `ETag`', async () => {
  await create();
  const response = await askAgain(`${contactPath}?limit=1`, '*');
  expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
});
