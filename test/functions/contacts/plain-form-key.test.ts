import { expect, it } from 'vitest';
import { germanSite, idsIn, minimal, siteOrigin, startContacts } from '../../support/contacts.ts';

const formType = 'application/x-www-form-urlencoded';

it('stores the same plain form of two sites twice, in whatever order its fields are', async () => {
  const contacts = await startContacts();
  const post = (Origin: string, body: string) =>
    contacts.create({ headers: { Accept: 'text/html', 'Content-Type': formType, Origin }, body });
  for (const origin of [siteOrigin, germanSite.origin]) {
    await post(origin, 'message=Hi&phone=123&a=1&b=2');
    await post(origin, 'b=2&a=1&phone=123&message=Hi');
  }
  expect((await contacts.list()).body).toMatchObject([{ site: expect.anything() }, { site: expect.anything() }]);
});

it('stores the same plain form once a minute', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now);
  const headers = { Accept: 'text/html', 'Content-Type': formType };
  const post = () => contacts.create({ headers, body: String(new URLSearchParams(minimal)) });
  await post();
  now = new Date('2026-03-01T12:00:59.999Z');
  await post();
  expect(idsIn(await contacts.list())).toHaveLength(1);
  now = new Date('2026-03-01T12:01:00.000Z');
  await post();
  expect(idsIn(await contacts.list())).toHaveLength(2);
});
