import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { listParameters as campaignParameters } from '../../functions/campaigns/read.ts';
import { fieldNames, spamReasons, staffContact } from '../../functions/contacts/contact.ts';
import { contactCsvHeader } from '../../functions/contacts/csv.ts';
import { listParameters as contactParameters, triageParameters } from '../../functions/contacts/list.ts';
import {
  type CodeWithLimit,
  changeErrorCodes,
  codesWithLimit,
  type ErrorCode,
  errorCodes,
  headerErrorCodes,
  parameterErrorCodes,
} from '../../functions/http/errors.ts';
import { errorMessage } from '../../functions/languages/language.ts';
import { english } from '../../functions/languages/load.ts';
import { endpoints } from '../../lib/infrastructure/endpoints.ts';
import { gatewayResponses, tokenError } from '../../lib/infrastructure/gateway-responses.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { startCampaigns } from '../support/campaigns.ts';
import { minimal, startContacts } from '../support/contacts.ts';
import { readDocument } from './document.ts';

const { text, source, document, errorsOf } = readDocument();
const { paths, components } = document;

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
);

const operationOf = (id: string) => {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`openapi.yaml has no ${id}`);
  return found;
};

test('has no anchors, which some generators cannot read', () => {
  const found: string[] = [];
  visit(parseDocument(text), { Alias: (_, { source }) => void found.push(source) });
  expect(found).toEqual([]);
});

test("has the project's version", () => {
  expect(document.info.version).toBe(packageJson.version);
});

test('has every endpoint with its permission', () => {
  const documented = operations.map(({ operationId, method, path, description, security }) => ({
    id: operationId.charAt(0).toUpperCase() + operationId.slice(1),
    method: method.toUpperCase(),
    path,
    permission: /^Permission: `(.+)`\.$/m.exec(description)?.[1],
    security,
  }));
  expect(documented).toEqual(
    endpoints.map(({ id, method, path, permission }) => ({
      ...{ id, method, path, permission },
      security: permission ? [{ token: [] }] : [],
    })),
  );
});

test.each(endpoints)('$id has every error of the gateway', ({ method, path, permission }) => {
  // The gateway responds with 404 and 415 only for other paths.
  const impossible = ['404', '415', ...(permission ? [] : ['401'])];
  const statuses = gatewayResponses({ sites: [], inboxOrigins: [] }).map(([, { statusCode }]) => String(statusCode));
  expect(Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {})).toEqual(
    expect.arrayContaining(statuses.filter((status) => !impossible.includes(status))),
  );
});

test('has every error code, and says which have a limit', () => {
  const { code, limit } = components.schemas['FieldError']?.properties ?? {};
  expect(code?.['enum']).toEqual([
    ...errorCodes,
    ...parameterErrorCodes,
    ...changeErrorCodes,
    ...headerErrorCodes,
    tokenError.code,
  ]);
  expect(String(limit?.['description']).match(/(?<=`)\w+(?=`)/g)).toEqual(codesWithLimit);
});

test('has every field', () => {
  const namesOf = (schema: string) => Object.keys(components.schemas[schema]?.properties ?? {}).sort();
  expect(namesOf('ContactRequestInput')).toEqual([...fieldNames].sort());
  expect(namesOf('ContactRequestForm')).toEqual([...fieldNames, 'form-name', 'files'].sort());
  expect(namesOf('ContactRequest')).toEqual([...Object.keys(staffContact.entries), 'success'].sort());
});

test('has every reason of a mark of spam (vitest -u writes them)', async () => {
  const written = readFileSync('openapi.yaml', 'utf8').replace(
    /(?<=^ {8}spamReason:\n(?: {10}.*\n)*? {10}enum: )\[.*\]/m,
    `[${spamReasons.join(', ')}]`,
  );
  await expect(written).toMatchFileSnapshot('../../openapi.yaml');
});

const anObject = v.looseObject({});

const namedExamples = v.record(v.string(), v.object({ value: v.unknown() }));

/** Every example below a node, with the keys that lead to its schema. */
const examplesBelow = (node: unknown, path: readonly string[] = []): { keys: readonly string[]; value: unknown }[] => {
  if (!v.is(anObject, node)) return [];
  const { example, examples, ...others } = node;
  const below = Object.entries(others).flatMap(([key, child]) => examplesBelow(child, [...path, key]));
  // A schema has a list of examples. Parameters, headers and bodies have one, or several by name.
  if (Array.isArray(examples)) return [...below, ...examples.map((value) => ({ keys: path, value }))];
  const named = Object.values(v.parse(v.optional(namedExamples, {}), examples)).map(({ value }) => value);
  const own = [...named, ...(example === undefined ? [] : [example])];
  return [...below, ...own.map((value) => ({ keys: [...path, 'schema'], value }))];
};

test.each(['requestBody', 'responses'])('its examples of a contact request have every field: %s', (part) => {
  const shown = examplesBelow(source).flatMap(({ keys: [, , method, ofPart], value }) =>
    method === 'post' && ofPart === part ? Object.keys(Object(value)) : [],
  );
  expect(shown).toEqual(expect.arrayContaining([...fieldNames]));
});

test('its example of CSV has the columns of the service in every row', () => {
  const [csv = ''] = examplesBelow(source).flatMap(({ keys, value }) =>
    keys.includes('text/csv') ? String(value) : [],
  );
  // It throws if a row has fewer or more cells than the first.
  expect(parse(csv)[0]).toEqual(contactCsvHeader.trim().split(','));
});

test('every example matches its schema', () => {
  const examples = examplesBelow(source);
  expect(examples.length).toBeGreaterThan(40);
  expect(examples.filter(({ keys, value }) => errorsOf(value, keys).length > 0)).toEqual([]);
});

const described = { field: v.string(), message: v.string() };

const codeWithoutLimit = v.custom<Exclude<ErrorCode, CodeWithLimit | 'required' | 'file_type'>>(
  (code) =>
    code !== 'required' &&
    code !== 'file_type' &&
    v.is(v.picklist(errorCodes), code) &&
    !v.is(v.picklist(codesWithLimit), code),
);

const codeWithLimit = v.custom<Exclude<CodeWithLimit, 'files_too_large'>>(
  (code) => code !== 'files_too_large' && v.is(v.picklist(codesWithLimit), code),
);

const exampleOfErrors = v.object({
  details: v.array(
    v.union([
      v.object({ ...described, code: codeWithLimit, limit: v.number() }),
      v.object({ ...described, code: codeWithoutLimit }),
    ]),
  ),
});

test('its examples of errors have the messages of the service', () => {
  const errors = examplesBelow(source).flatMap(({ value }) => (v.is(exampleOfErrors, value) ? value.details : []));
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.map(({ message }) => message)).toEqual(errors.map((error) => errorMessage(english, error)));
});

describe.each([
  ['listContacts', { ...contactParameters('contacts'), ...triageParameters }, async () => (await startContacts()).list],
  ['listCampaigns', campaignParameters, async () => (await startCampaigns()).list],
])('%s', (id, entries, start) => {
  const { path, method, parameters } = operationOf(id);
  const query = parameters.flatMap((one, index) => {
    const name = '$ref' in one ? one.$ref.replace('#/components/parameters/', '') : '';
    const found = '$ref' in one ? components.parameters[name] : one;
    if (found?.in !== 'query') return [];
    const keys = '$ref' in one ? ['components', 'parameters', name] : ['paths', path, method, 'parameters', `${index}`];
    return [{ ...found, keys: [...keys, 'schema'] }];
  });

  test('has the query parameters of the service, with their defaults', () => {
    const documented = query.map(({ name, schema }) => [name, schema['default']?.toString()]);
    expect(Object.fromEntries(documented)).toEqual(v.getDefaults(v.object(entries)));
  });

  const values = new Map<string, unknown[]>([
    ['limit', [-1, 0, 1, 1.5, 200, 201, 1000, 1001, 'ten']],
    ['order', ['asc', 'desc', 'up']],
    ['since', ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.5+01:00', '2026-03-01', 'now']],
    ['until', ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.5+01:00', '2026-03-01', 'now']],
    ['spam', [true, false, 'yes']],
    ['answered', [true, false, 'yes']],
    ['form', [['contact'], ['contact', 'sales'], ['']]],
    ['site', [['https://www.example.com'], ['www.example.com'], ['https://www.example.com', 'mailto:ada@example.com']]],
    ['campaign', [['spring-sale'], ['spring-sale', '']]],
    ['email', [['ada@example.com'], ['nobody']]],
  ]);

  // No schema describes the valid cursors.
  test.each(query.filter(({ name }) => name !== 'cursor'))(
    'accepts exactly the documented values of $name',
    async ({ name, keys }) => {
      const call = await start();
      for (const value of values.get(name) ?? []) {
        const { status } = await call({ query: [value].flat().map((one) => [name, String(one)]) });
        expect(status, String(value)).toBe(errorsOf(value, keys).length === 0 ? 200 : 400);
      }
      expect(values.has(name)).toBe(true);
    },
  );
});

describe('createContact', () => {
  /** Values of each kind, around each limit, but no blank ones: only the description says that they are treated as missing. */
  const values = [
    ...['x', 'Zoë', '👋🏽', 'e\u0301', 'two\nlines', 'a tab\there', 'a bell\u0007', 'a\u007fb', 'a\u0085b', 'a\u00a0b'],
    ...['ada@example.com', 'ada@', 'ada@-', '+1 (555) 010-0.1/2x3#', '1-2 3', '12', '12x', '123a'],
    // A text of more UTF-16 code units than letters.
    ...[64, 65, 100, 101, 200, 201, 5000, 5001].flatMap((length) => ['1'.repeat(length), '𐐀'.repeat(length)]),
    ...[254, 255].map((length) => `${'x'.repeat(length - '@example.com'.length)}@example.com`),
    ...[0, -1.5, Number.MAX_SAFE_INTEGER, 2 ** 53, -(2 ** 53), 1e300, true, false],
    ...[{ a: 'x' }, ['x', 2, true], ['x', { a: 'x' }], [['x']], ['x'.repeat(5001)], [2 ** 53]],
  ];

  /**
   * Expects that the service takes exactly the bodies that match the schema.
   * @param field what must be stored. What is no phone number, say, can stay an extra field without an error
   */
  const expectAgreement = async (bodies: readonly object[], field = 'id') => {
    const { post } = await startContacts();
    const taken = new Set<boolean>();
    for (const sent of bodies) {
      const errors = errorsOf(sent, ['components', 'schemas', 'ContactRequestInput']);
      taken.add(errors.length === 0);
      const { status, body, text } = await post(sent);
      expect([201, 400]).toContain(status);
      expect(field in Object(body), `${JSON.stringify(sent)}: ${errors}, ${text}`).toBe(errors.length === 0);
    }
    expect(taken.size).toBe(2);
  };

  // Forms can send numbers and lists, too. Only the description says that a phone number has three digits of any script.
  test.each(fieldNames)('takes only the documented values of %s', (name) => {
    const offered = values.filter((value) => typeof value !== 'number' && !Array.isArray(value));
    const canBeNumber = (value: unknown) => name !== 'phone' || typeof value !== 'string' || /(\d\D*){3}/.test(value);
    return expectAgreement(
      offered.filter(canBeNumber).map((value) => ({ ...minimal, [name]: value })),
      name,
    );
  });

  // Only the description says that extra fields have at most 16 KiB together.
  test('accepts only the documented values of extra fields', () =>
    expectAgreement(
      values.filter((value) => JSON.stringify(value).length < 8000).map((value) => ({ ...minimal, topic: value })),
    ));

  test('accepts only the documented names of extra fields', () => {
    const lengths = [1, 200, 201].flatMap((length) => ['x'.repeat(length), '👋'.repeat(length)]);
    const names = [...lengths, '', 'a b', 'a\nb', 'a\u0080b'];
    return expectAgreement(names.map((name) => ({ ...minimal, [name]: 'x' })));
  });
});
