import assert from 'node:assert/strict';
import type { Answer, Request } from './client.ts';
import { expectUnreadable } from './expect.ts';
import type { Known } from './steps.ts';
import type { World } from './world.ts';

/** `If-None-Match`, and whether the tag is among what it names. */
const conditions = {
  tag: (tag) => [tag, true],
  weak: (tag) => [`W/${tag}`, true],
  among: (tag) => [`, "a,b" ,W/"",${tag},"\xe9"`, true],
  any: () => ['*', true],
  other: () => ['"x", W/"*"', false],
  bare: (tag) => [tag.slice(1, -1), false],
  malformed: (tag) => [`${tag}, "x`, false],
  mixed: (tag) => [`${tag}, *`, false],
} as const satisfies Record<Exclude<Known, 'nothing'>, (tag: string) => readonly [string, boolean]>;

/** Sends a request again that was answered with 200, as who has something already: the answer is the same, or 304. */
export const checkKnown = async ({ client }: World, request: Request, answer: Answer, known: Known): Promise<void> => {
  const tag = String(answer.headers['etag']);
  assert.match(tag, /^"[!#-~]+"$/, 'a strong tag');
  if (known === 'nothing') return;
  const [condition, isKnown] = conditions[known](tag);
  const again = await client.send({ ...request, headers: { ...request.headers, 'If-None-Match': condition } });
  expectUnreadable(again);
  assert.deepEqual([again.status, again.text], isKnown ? [304, ''] : [200, answer.text], condition);
  for (const name of ['etag', 'link', 'cache-control']) assert.equal(again.headers[name], answer.headers[name], name);
};
