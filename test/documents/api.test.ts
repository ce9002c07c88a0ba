import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contactCsvHeader } from '../../functions/contacts/csv.ts';
import { endpoints } from '../../lib/infrastructure/endpoints.ts';
import { startContacts } from '../support/contacts.ts';
import { blocksIn, sectionOf, tablesIn } from '../support/markdown.ts';

const document = readFileSync('docs/api.md', 'utf8');

test('docs/api.md has every endpoint with its permission', () => {
  const [rows = []] = tablesIn(sectionOf(document, 'Endpoints'));
  expect(rows.map(([endpoint, _, permission]) => ({ endpoint, permission }))).toEqual(
    endpoints.map(({ method, path, permission }) => ({
      endpoint: `\`${method} ${path}\``,
      permission: permission === undefined ? 'none' : `\`${permission}\``,
    })),
  );
});

const blocksBelow = (heading: string) => blocksIn(sectionOf(document, heading));

const [request = '', created = ''] = blocksBelow('Create a contact request');
const sent: unknown = JSON.parse(/-d '(.*)'/.exec(request)?.[1] ?? '');
const shownId = /[\da-f-]{36}/.exec(created)?.[0] ?? '';

test('docs/api.md shows the actual response to a contact request', async () => {
  const contacts = await startContacts();
  const response = await contacts.post(sent);
  expect({ ...Object(response.body), id: shownId }).toEqual(JSON.parse(created));
  expect(Object.keys(Object(response.body))).toEqual(Object.keys(JSON.parse(created)));
});

test('docs/api.md shows the actual response to a list', async () => {
  const contacts = await startContacts();
  await contacts.post(sent);
  await contacts.post(sent);
  const response = await contacts.list({ query: [['limit', '1']] });
  const withoutCursor = (link = '') =>
    link.replace(/cursor=[^>]*/, 'cursor=').replace(/https:.*(?=\/api\/v1)/, 'https://…');
  const [, listed = ''] = blocksBelow('Lists');
  expect(withoutCursor(listed)).toBe(
    `Link: ${withoutCursor(response.headers['Link'])}\n\n${response.text.replace(/(?<="id":")[\da-f-]{36}/, shownId)}\n`,
  );
});

test('docs/api.md has the columns of the CSV', () => {
  expect(document).toContain(`\`${contactCsvHeader.trim()}\``);
});

test('docs/api.md shows the actual response to a field that is too long', async () => {
  const contacts = await startContacts();
  const response = await contacts.post({ company: 'x'.repeat(201) });
  expect(response.body).toEqual(JSON.parse(blocksBelow('Errors')[0] ?? ''));
});
