import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { getContact } from '../../../functions/contacts/by-id.ts';
import { type Answer, callerOf } from '../../support/call.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { idIn, inboxOrigins, minimal, siteOrigin, startContacts } from '../../support/contacts.ts';
import { logLines } from '../../support/log.ts';

it.each([
  ['https://evil.example', 'https://evil.example'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['moz-extension://0f5c', 'moz-extension://0f5c'],
  [`https://${'a'.repeat(200)}.example`, `https://${'a'.repeat(92)}`],
  ['https://ada@evil.example', 'malformed'],
  ['https://evil.example/?email=ada', 'malformed'],
  ['ada@example.com', 'malformed'],
])('refuses the origin %s and logs it as %s', async (origin, logged) => {
  const contacts = await startContacts();
  expect((await contacts.post(minimal, { Origin: origin })).status).toBe(403);
  expect(logLines()).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'origin refused',
      requestId: expect.any(String),
      origin: logged,
    }),
  );
});

const start = async () => {
  const [contacts, campaigns] = await Promise.all([startContacts(), startCampaigns()]);
  return {
    ...{ contacts, campaigns },
    contact: { id: idIn(await contacts.post(minimal)) },
    campaign: { id: await campaigns.add('Newsletter') },
    nothing: { id: randomUUID() },
  };
};

type Service = Awaited<ReturnType<typeof start>>;

/** Requests to the staff endpoints. */
const requests: readonly [status: number, what: string, (service: Service, Origin: string) => Promise<Answer>][] = [
  [200, 'a list', ({ contacts }, Origin) => contacts.list({ headers: { Origin } })],
  [200, 'CSV', ({ contacts }, Origin) => contacts.list({ headers: { Origin, Accept: 'text/csv' } })],
  [400, 'a list', ({ contacts }, Origin) => contacts.list({ headers: { Origin }, query: [['limit', 'all']] })],
  [200, 'an item', ({ contacts, contact }, Origin) => contacts.get({ headers: { Origin }, pathParameters: contact })],
  [404, 'an item', ({ contacts, nothing }, Origin) => contacts.get({ headers: { Origin }, pathParameters: nothing })],
  [
    304,
    'an item',
    async ({ contacts, contact }, Origin) => {
      const { ETag = '' } = (await contacts.get({ pathParameters: contact })).headers;
      return contacts.get({ headers: { Origin, 'If-None-Match': ETag }, pathParameters: contact });
    },
  ],
  [
    204,
    'a DELETE',
    ({ contacts, contact }, Origin) => contacts.delete({ headers: { Origin }, pathParameters: contact }),
  ],
  [
    404,
    'a DELETE',
    ({ contacts, nothing }, Origin) => contacts.delete({ headers: { Origin }, pathParameters: nothing }),
  ],
  [200, 'campaigns', ({ campaigns }, Origin) => campaigns.list({ headers: { Origin } })],
  [
    200,
    'a campaign',
    ({ campaigns, campaign }, Origin) => campaigns.get({ headers: { Origin }, pathParameters: campaign }),
  ],
  [
    404,
    'a campaign',
    ({ campaigns, nothing }, Origin) => campaigns.get({ headers: { Origin }, pathParameters: nothing }),
  ],
];

it.each(requests)('a page of an inbox reads the %i of %s', async (status, _, ask) => {
  const [, origin] = inboxOrigins;
  expect(await ask(await start(), origin)).toMatchObject({
    status,
    headers: {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': 'Link, ETag, Retry-After',
    },
  });
});

const namesOf = ({ headers }: Answer) => Object.keys(headers).join();

it.each(requests)('a page of a site does not read the %i of %s', async (status, _, ask) => {
  const answer = await ask(await start(), siteOrigin);
  expect(answer).toMatchObject({ status, headers: { Vary: 'Origin' } });
  expect(namesOf(answer)).not.toContain('Access-Control');
});

it('without inboxOrigins, answers to staff have no headers for pages', async () => {
  const { store, post } = await startContacts();
  const get = callerOf('GET /api/v1/contact/{id}', getContact({ store, now: () => new Date('2026-03-01T12:00:00Z') }));
  const id = idIn(await post(minimal));
  const answer = await get({ headers: { Origin: inboxOrigins[0] }, pathParameters: { id } });
  expect(answer.status).toBe(200);
  expect(namesOf(answer)).not.toMatch(/Vary|Access-Control/);
});
