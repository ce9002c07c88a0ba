import { expect, type TestContext, test } from 'vitest';
import { absentId, campaignsPath, contactPath, send, sendAsStaff } from './client.ts';
import type { ApiResponse } from './http.ts';
import { requires, target } from './target.ts';

const staffEndpoints = [
  ['GET', contactPath],
  ['GET', `${contactPath}/${absentId}`],
  ['DELETE', `${contactPath}/${absentId}`],
  ...(target.lacks.includes('triage') ? [] : [['PATCH', `${contactPath}/${absentId}`] as const]),
  ['GET', campaignsPath],
  ['GET', `${campaignsPath}/${absentId}`],
] as const;

const inboxOriginOf = ({ skip }: TestContext): string => target.inboxOrigin ?? skip('INBOX_ORIGIN is not set');

const names = (header: string | null) => (header ?? '').toLowerCase().split(/\s*,\s*/);

const preflight = (path: string, origin: string, method: string) =>
  send(path, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': method } });

const allowedOrigin = ({ headers }: ApiResponse) => headers.get('access-control-allow-origin');

test.for(staffEndpoints)('a preflight allows an inbox %s %s with a token', async ([method, path], context) => {
  const origin = inboxOriginOf(context);
  requires(context, 'preflight');
  const response = await preflight(path, origin, method);
  expect([response.status, allowedOrigin(response)]).toEqual([204, origin]);
  expect(names(response.headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
  expect(names(response.headers.get('access-control-allow-headers'))).toEqual(
    expect.arrayContaining(['authentication', 'accept', 'content-type']),
  );
  expect(allowedOrigin(await preflight(path, target.siteOrigin, method))).not.toBe(target.siteOrigin);
});

test('a preflight does not allow an inbox to post contact requests', async (context) => {
  const origin = inboxOriginOf(context);
  requires(context, 'preflight');
  expect(allowedOrigin(await preflight(contactPath, origin, 'POST'))).not.toBe(origin);
});

test.for(staffEndpoints)(
  'a page of an inbox reads the responses to %s %s, and a page of a site does not',
  async ([method, path], context) => {
    const origin = inboxOriginOf(context);
    const response = await sendAsStaff(path, { method, headers: { Origin: origin } });
    expect(allowedOrigin(response)).toBe(origin);
    expect(names(response.headers.get('vary'))).toContain('origin');
    expect(names(response.headers.get('access-control-expose-headers'))).toEqual(['link', 'retry-after', 'sunset']);

    const other = await sendAsStaff(path, { method, headers: { Origin: target.siteOrigin } });
    expect(allowedOrigin(other)).toBeNull();
    expect(names(other.headers.get('vary'))).toContain('origin');
  },
);

test('a page of an inbox reads that its token is missing', async (context) => {
  const origin = inboxOriginOf(context);
  requires(context, 'gateway-responses');
  const response = await send(contactPath, { headers: { Origin: origin } });
  expect([response.status, allowedOrigin(response)]).toEqual([401, '*']);
});
