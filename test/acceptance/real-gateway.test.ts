import { describe, expect, test } from 'vitest';
import { campaignsPath, contactPath, post, send, sendAsStaff, visitor } from './client.ts';
import { expectError } from './expect-error.ts';
import type { Answer } from './http.ts';
import { postAsPage } from './page.ts';
import { requires, target } from './target.ts';

// What API Gateway decides before the service's own code runs, so that an emulation of it proves little: the first
// deployment is tried with these alone (docs/first-deployment.md).

/** Expects that a page of the site origin can read it, also where the gateway cannot choose among several. */
const expectReadable = ({ headers }: Answer) =>
  expect([target.siteOrigin, '*']).toContain(headers.get('access-control-allow-origin'));

const megabytes = (count: number) => JSON.stringify({ message: 'x'.repeat(count * 1024 * 1024) });

describe('a page, over HTTP/2 where there is TLS,', () => {
  test("reads a mistake, in the service's own words", async () => {
    const answer = await postAsPage('{}');
    expectError(answer, 400, ['email', 'message']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(target.siteOrigin);
  });

  test('reads that there is no such endpoint', async (context) => {
    requires(context, 'gateway-responses');
    const answer = await postAsPage('{}', '/api/v1/contacts');
    expectError(answer, 404);
    expectReadable(answer);
  });

  // Lambda takes 6 MB, the gateway 10.
  test.for([1, 5, 7, 9, 11])('reads that a body of %i MB is too large', async (count, context) => {
    if (count > 5) requires(context, 'gateway-responses');
    const answer = await postAsPage(megabytes(count));
    expectError(answer, 413);
    expectReadable(answer);
  });
});

test('a body of no type is refused with 415, and so is no body', async () => {
  expectError(await send(contactPath, { method: 'POST', body: Buffer.from(JSON.stringify(visitor())) }), 415);
  expectError(await send(contactPath, { method: 'POST' }), 415);
});

test.for(['/api/v1/contact%2F', '/api%2Fv1/contact', '/%00', '/%F0%9F%92%A9'])(
  'the path %s is answered with 404',
  async (path, context) => {
    requires(context, 'gateway-responses');
    if (path.includes('%2F')) requires(context, 'encoded-slash');
    for (const answer of [await send(path), await sendAsStaff(path)]) expectError(answer, 404);
  },
);

// The gateway reads this header as a signature of AWS where no endpoint is found.
test.for(['Bearer x', 'Basic eDp4', 'AWS4-HMAC-SHA256 Credential=x', 'x'])(
  'the header "Authorization: %s" changes nothing',
  async (authorization, context) => {
    requires(context, 'gateway-responses');
    if (authorization.startsWith('AWS4')) requires(context, 'foreign-signature');
    const headers = { Authorization: authorization };
    expectError(await send('/nothing', { headers }), 404);
    expectError(await send(campaignsPath, { headers }), 401);
    expect((await sendAsStaff(campaignsPath, { headers })).status).toBe(200);
    expectError(await post({}, headers), 400, ['email', 'message']);
  },
);
