import { describe, expect, test } from 'vitest';
import { campaignsPath, contactPath, post, send, sendAsStaff, visitor } from './client.ts';
import { expectError } from './expect-error.ts';
import type { ApiResponse } from './http.ts';
import { postAsPage } from './page.ts';
import { requires, target } from './target.ts';

// API Gateway decides these before the service's code runs, so an emulation proves little: `npm run verify` runs them on AWS, with
// one site and with two (docs/testing.md). The comments name where to look if one of them fails there.

/** Expects that a page of the site can read the response. With several sites, the gateway responds with `*`. */
const expectReadable = ({ headers }: ApiResponse) =>
  expect([target.siteOrigin, '*']).toContain(headers.get('access-control-allow-origin'));

const megabytes = (count: number) => JSON.stringify({ message: 'x'.repeat(count * 1024 * 1024) });

describe('a page (over HTTP/2 if there is TLS)', () => {
  test('reads the errors of the service', async () => {
    const response = await postAsPage('{}');
    expectError(response, 400, ['email', 'message']);
    expect(response.headers.get('access-control-allow-origin')).toBe(target.siteOrigin);
  });

  // `Access-Control-Allow-Origin` in lib/infrastructure/gateway-responses.ts, see docs/decisions.md.
  test('reads the 404 of an unknown path', async (context) => {
    requires(context, 'gateway-responses');
    const response = await postAsPage('{}', '/api/v1/contacts');
    expectError(response, 404);
    expectReadable(response);
  });

  // Lambda takes 6 MB, the gateway 10: see REQUEST_TOO_LARGE and DEFAULT_5XX in lib/infrastructure/gateway-responses.ts.
  test.for([1, 5, 7, 9, 11])('reads the 413 for a body of %i MB', async (count, context) => {
    if (count > 5) requires(context, 'gateway-responses');
    const response = await postAsPage(megabytes(count));
    expectError(response, 413);
    expectReadable(response);
  });
});

// Without a type, a body is a text. If AWS responds with 400 to the lines, the gateway has added the type `application/json`.
test('reads a body without a type, and refuses a missing one', async () => {
  const { email, message } = visitor();
  for (const body of [JSON.stringify({ email, message }), `email=${email}\r\nmessage=${message}\r\n`])
    expect((await send(contactPath, { method: 'POST', body: Buffer.from(body) })).body).toMatchObject({
      email,
      message,
    });
  expectError(await send(contactPath, { method: 'POST' }), 400, ['email', 'message']);
});

// If AWS responds with 400 or 403, the gateway did, before the service: LACKS=encoded-slash skips the paths with %2F.
test.for(['/api/v1/contact%2F', '/api%2Fv1/contact', '/%00', '/%F0%9F%92%A9'])(
  'responds with 404 to the path %s',
  async (path, context) => {
    requires(context, 'gateway-responses');
    if (path.includes('%2F')) requires(context, 'encoded-slash');
    for (const response of [await send(path), await sendAsStaff(path)]) expectError(response, 404);
  },
);

// For unknown paths, the gateway reads this header as a signature of AWS. If AWS responds with 400 or 403, skip this test by
// LACKS=foreign-signature.
test.for(['Bearer x', 'Basic eDp4', 'AWS4-HMAC-SHA256 Credential=x', 'x'])(
  'ignores the header "Authorization: %s"',
  async (authorization, context) => {
    requires(context, 'gateway-responses');
    if (authorization.startsWith('AWS4')) requires(context, 'foreign-signature');
    const headers = { Authorization: authorization };
    expectError(await send('/nothing', { headers }), 404);
    expectError(await send(campaignsPath, { headers }), 401, ['Authentication']);
    expect((await sendAsStaff(campaignsPath, { headers })).status).toBe(200);
    expectError(await post({}, headers), 400, ['email', 'message']);
  },
);
