import { expect, it } from 'vitest';
import { releaseContact } from '../../../lib/staff/contact-table.ts';
import type { Answer, Call } from '../../support/call.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import { client } from '../../support/tables.ts';

const tagOf = ({ headers }: Answer): string => {
  expect(headers['ETag']).toMatch(/^"[\w-]{43}"$/);
  return headers['ETag'] ?? '';
};

/** A campaign's answer, its tag, and a reader that sends `If-None-Match`. */
const startCampaign = async () => {
  const campaigns = await startCampaigns();
  const pathParameters = { id: await campaigns.add('Spring sale') };
  const answer = await campaigns.get({ pathParameters });
  const get = (...values: string[]) =>
    campaigns.get({
      pathParameters,
      // A name in another case for each value, like a header of several lines.
      headers: Object.fromEntries(
        values.map((value, line) => ['if-none-match'.slice(0, line) + 'IF-NONE-MATCH'.slice(line), value]),
      ),
    });
  return { answer, tag: tagOf(answer), get };
};

/** Calls an endpoint again with the tag that it gave. */
const again = (call: Call, parts: Parameters<Call>[0], tag: string) =>
  call({ ...parts, headers: { ...parts?.headers, 'If-None-Match': tag } });

it.each<[string, (tag: string) => string[]]>([
  ['a list that ends with the tag', (tag) => [`"a,b", W/"", "\u00e9!#~",${tag}`]],
  ['a list that begins with the tag', (tag) => [`${tag}\t,"x"`]],
  ['a list with empty elements', (tag) => [` , ,${tag}, ,`]],
  ['several lines', (tag) => ['"x"', tag, 'W/"y"']],
])('answers 304 without a body to %s', async (_, known) => {
  const { tag, get } = await startCampaign();
  expect(await get(...known(tag))).toStrictEqual({
    status: 304,
    headers: { 'Cache-Control': 'no-store', ETag: tag },
    text: '',
    body: undefined,
  });
});

it.each<[string, (tag: string) => string[]]>([
  ['an empty value', () => ['']],
  ['the tag in another case', (tag) => [tag.toUpperCase()]],
  ['a longer tag', (tag) => [`"x${tag.slice(1)}`]],
  ['a shorter tag', (tag) => [`${tag.slice(0, -2)}"`]],
  ['a quote too few', (tag) => [`${tag}, "x`]],
  ['a quote too many', (tag) => [`"${tag}`]],
  ['no comma between tags', (tag) => [`${tag} "x"`]],
  ['a mark of weakness in lower case', (tag) => [`w/${tag}`]],
  ['a blank after the mark of weakness', (tag) => [`W/ ${tag}`]],
  ['a blank within a tag', (tag) => [`"a b", ${tag}`]],
  ['an asterisk within a list', (tag) => [`${tag}, *`]],
  ['two asterisks', () => ['*', '*']],
  ['10 KB of a malformed list', (tag) => [`${`${tag}, `.repeat(200)}${' '.repeat(500)}x`]],
])('answers in full to %s', async (_, known) => {
  const { answer, get } = await startCampaign();
  expect(await get(...known(tagOf(answer)))).toStrictEqual(answer);
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
