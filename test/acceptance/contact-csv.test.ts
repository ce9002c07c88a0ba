import * as v from 'valibot';
import { expect, test } from 'vitest';
import { contactPath, create, listOnceItHolds, sendAsStaff } from './client.ts';
import { contactSchema } from './contact.ts';
import { expectError } from './expect-error.ts';
import { target } from './target.ts';

/** The rows of a CSV text (RFC 4180), as lists of cells. */
const parseCsv = (text: string): string[][] => {
  expect(text.endsWith('\r\n')).toBe(true);
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
};

const listAsCsv = (query: string, accept = 'text/csv') =>
  sendAsStaff(`${contactPath}?${query}`, { headers: { Accept: accept } });

/** Those that a spreadsheet shows. */
const shown = v.omit(contactSchema, ['spamReason', 'answeredAt', 'answeredBy']).entries;

test('sends the page as CSV with a header row to clients that prefer CSV', async () => {
  const contact = await create({
    phone: '555 0100',
    company: 'Tea, "cake" & Söhne',
    message: `one\ntwo (${target.run}), and more letters than a date can have`,
    lastName: 'Lovelace',
    'form-name': 'sales',
    campaign: 'spring-sale',
  });
  const other = await create({ message: `Nothing that a spreadsheet could change in (${target.run})` });
  await listOnceItHolds(contact, [contact, other]);
  const response = await listAsCsv(`limit=200&since=${contact.createdAt}`, 'text/csv, application/json;q=0.5');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/csv; *charset=utf-8$/i);
  const [columns = [], ...rows] = parseCsv(response.text);
  const records = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  expect(columns.toSorted()).toEqual(Object.keys(shown).toSorted());
  expect(columns.slice(-5)).toEqual(['form', 'campaign', 'releasedAt', 'extra', 'files']);
  // A spreadsheet would change the number.
  for (const one of [{ ...contact, phone: "'555 0100" }, other]) {
    expect(records.find(({ id }) => id === one.id)).toEqual({
      ...Object.fromEntries(columns.map((column) => [column, ''])),
      ...one,
    });
  }
});

test('links a CSV page to the next one, and sends errors as JSON', async () => {
  const one = await create();
  const other = await create();
  await listOnceItHolds(one, [one, other]);
  expect((await listAsCsv(`limit=1&since=${one.createdAt}`)).headers.get('link')).toContain('cursor=');
  expectError(await listAsCsv('limit=0'), 400, ['limit']);
});

test('sends JSON to clients that do not prefer CSV', async () => {
  const response = await listAsCsv('limit=1', 'text/csv;q=0.1, */*');
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
});
