import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { type ContactsService, idIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

const asked = { requestId: 'request-1', tokenId: '0123456789ab' };

/** The fields of every line about the request. */
const line = { timestamp: expect.any(String), level: 'info', ...asked };

const accessLines = () => logLines().filter((each) => JSON.stringify(each).includes('"message":"contact request'));

let contacts: ContactsService;
let id: string;
beforeEach(async () => {
  contacts = await startContacts();
  id = idIn(await contacts.post(minimal));
});

it('logs which token read which contact request', async () => {
  const pathParameters = { id: id.toUpperCase() };
  await contacts.get({ ...asked, pathParameters });
  expect(accessLines()).toEqual([{ ...line, message: 'contact request read', contactId: id }]);
});

it('logs which token deleted which contact request, once', async () => {
  for (const _ of ['there', 'gone']) await contacts.delete({ ...asked, pathParameters: { id } });
  expect(accessLines()).toEqual([{ ...line, message: 'contact request deleted', contactId: id }]);
});

it('logs which token changed which contact request, also if it was so already, but not by whose name', async () => {
  const change = { ...asked, tokenName: 'Ada Lovelace', pathParameters: { id }, body: '{"answered":true}' };
  for (const _ of ['new', 'so already']) await contacts.update(change);
  const changed = { ...line, message: 'contact request changed', contactId: id };
  expect(accessLines()).toEqual([changed, changed]);
  expect(logText()).not.toContain('Ada');
});

it('logs which token listed how many contact requests, as JSON or CSV', async () => {
  await contacts.post(minimal);
  await contacts.list(asked);
  await contacts.list({ ...asked, headers: { Accept: 'text/csv' }, query: [['limit', '1']] });
  const listed = { ...line, message: 'contact requests listed' };
  expect(accessLines()).toEqual([
    { ...listed, count: 2 },
    { ...listed, count: 1 },
  ]);
});

it('logs no failed read, and no personal data', async () => {
  await contacts.get({ ...asked, pathParameters: { id: randomUUID() } });
  await contacts.list({ ...asked, query: [['limit', 'all']] });
  expect(accessLines()).toEqual([]);
  await contacts.get({ ...asked, pathParameters: { id } });
  await contacts.list(asked);
  for (const value of Object.values(minimal)) expect(logText()).not.toContain(value);
});
