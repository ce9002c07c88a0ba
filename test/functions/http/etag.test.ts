import { expect, it } from 'vitest';
import { releaseContact } from '../../../functions/contacts/manage-contacts.ts';
import type { ApiResponse, Call } from '../../support/call.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import { client } from '../../support/tables.ts';

const tagOf = ({ headers }: ApiResponse): string => {
  expect(headers['ETag']).toMatch(/^"[\w-]{43}"$/);
  return headers['ETag'] ?? '';
};

/** Calls an endpoint again with the tag that it gave. */
const again = (call: Call, parts: Parameters<Call>[0], tag: string) =>
  call({ ...parts, headers: { ...parts?.headers, 'If-None-Match': tag } });

it.each<[string, number, (tag: string) => string]>([
  ['a list with empty elements', 304, (tag) => ` , ,"a,b", W/"",${tag}\t, ,`],
  ['a tag in another case', 200, (tag) => tag.toUpperCase()],
  ['a quote too few', 200, (tag) => `${tag}, "x`],
  ['an asterisk within a list', 200, (tag) => `${tag}, *`],
  ['a blank within a tag', 200, (tag) => `"a b", ${tag}`],
  ['10 KB of a malformed list', 200, (tag) => `${`${tag}, `.repeat(200)}${' '.repeat(500)}x`],
])('responds to %s with %i', async (_, status, known) => {
  const campaigns = await startCampaigns();
  const page = await campaigns.list();
  expect((await again(campaigns.list, {}, known(tagOf(page)))).status).toBe(status);
});

it('changes the tag of a contact request when staff release it', async () => {
  const contacts = await startContacts();
  const id = idIn(await contacts.post({ ...minimal, _gotcha: 'x' }));
  const get = { pathParameters: { id } };
  const tag = tagOf(await contacts.get(get));
  expect(await again(contacts.get, get, tag)).toMatchObject({ status: 304, text: '' });
  await releaseContact({ client, table: contacts.table }, id, new Date('2026-03-01T13:00:00.000Z'));
  const released = await again(contacts.get, get, tag);
  expect(released).toMatchObject({ status: 200, body: { id, releasedAt: '2026-03-01T13:00:00.000Z' } });
  expect(await again(contacts.get, get, tagOf(released))).toMatchObject({ status: 304 });
});

it('changes the tag of a page of campaigns when only its link changes', async () => {
  const campaigns = await startCampaigns();
  await campaigns.addAll(['a', 'b']);
  const page = { query: [['limit', '2']] } as const;
  const last = await campaigns.list(page);
  await campaigns.add('c');
  const linked = await again(campaigns.list, page, tagOf(last));
  expect(linked).toMatchObject({ status: 200, text: last.text });
  expect(linked.headers['Link']).toContain('rel="next"');
});
