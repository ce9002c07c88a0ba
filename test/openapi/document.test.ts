import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { gatewayResponses } from '../../lib/infrastructure/api/gateway-responses.ts';
import { endpoints } from '../../lib/infrastructure/endpoints.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { exchanges } from '../../lib/openapi/examples.ts';
import { apiPage } from '../../lib/openapi/page.ts';

test('openapi.json is current: else run `npm run openapi`', () => {
  expect(JSON.parse(readFileSync('openapi.json', 'utf8'))).toEqual(JSON.parse(JSON.stringify(openApiDocument)));
});

test('docs/api.md is current: else run `npm run openapi`', () => {
  expect(readFileSync('docs/api.md', 'utf8')).toBe(apiPage);
});

test('names each error on the page as its body does', () => {
  const shown = [...apiPage.matchAll(/^[45]\d\d (.+)\n(?:.+\n)*\n\{\s*"error": "(.+)"/gm)];
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.map(([, phrase]) => phrase)).toEqual(shown.map(([, , error]) => error));
});

/** Of what is no endpoint, and of a media type that the gateway minds: it minds none of an endpoint's. */
const ofNoEndpoint = ['404', '415'];

test.each(endpoints)('$id has every error that the gateway may answer', ({ method, path, permission }) => {
  const impossible = [...ofNoEndpoint, ...(permission ? [] : ['401'])];
  const statuses = gatewayResponses([]).map(([, { statusCode }]) => String(statusCode));
  const documented = Object.keys(openApiDocument.paths[path]?.[method.toLowerCase()]?.responses ?? {});
  expect(documented).toEqual(expect.arrayContaining(statuses.filter((status) => !impossible.includes(status))));
});

test.each(endpoints)('$id has an example of a success', ({ id }) => {
  expect(exchanges[id].filter(({ answer }) => answer.status < 300)).not.toEqual([]);
});

const shown = v.union([v.object({ example: v.object({}) }), v.object({ examples: v.object({}) })]);

const answer = v.union([
  v.object({ $ref: v.string() }),
  v.object({ content: v.optional(v.object({ 'application/json': v.optional(shown) })) }),
]);

test.each([
  ...endpoints.map(({ id, method, path }) => [id, openApiDocument.paths[path]?.[method.toLowerCase()]?.responses]),
  ['what staff endpoints share', openApiDocument.components.responses],
])('%s: every answer in JSON has an example', (_, responses) => {
  expect(
    v.safeParse(v.record(v.string(), answer), responses).issues?.map((issue) => v.getDotPath(issue)),
  ).toBeUndefined();
});

test('no property has a schema that is true or false: oapi-codegen, of Go, reads no document with one', () => {
  const kinds = new Set<string>();
  JSON.parse(JSON.stringify(openApiDocument), (key, value: unknown) => {
    if (key === 'properties')
      for (const schema of Object.values(v.parse(v.record(v.string(), v.unknown()), value))) kinds.add(typeof schema);
    return value;
  });
  expect([...kinds]).toEqual(['object']);
});
