import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as v from 'valibot';
import { expect } from 'vitest';
import { type Answer, sendTo } from './http.ts';
import { target } from './target.ts';

const reference = v.object({ $ref: v.string() });

const responseSchema = v.object({
  headers: v.optional(v.record(v.string(), reference), {}),
  content: v.optional(v.record(v.string(), v.object({ schema: v.unknown() })), {}),
});

const documentSchema = v.object({
  paths: v.record(
    v.string(),
    v.record(v.string(), v.object({ responses: v.record(v.string(), v.union([reference, responseSchema])) })),
  ),
  components: v.object({
    headers: v.record(
      v.string(),
      v.object({ required: v.optional(v.boolean(), false), schema: v.object({ type: v.string() }) }),
    ),
    responses: v.record(v.string(), responseSchema),
  }),
});

/** A client passes over properties that it does not know; the suite takes none that the document does not. */
const closed = (_: string, value: unknown): unknown =>
  v.is(v.looseObject({ type: v.literal('object'), properties: v.unknown() }), value)
    ? { additionalProperties: false, ...value }
    : value;

const source: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'), closed);
const { paths, components } = v.parse(documentSchema, source);

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });
ajv.addSchema(v.parse(v.looseObject({}), source), 'openapi');

/** @param path of keys of the document, to a schema */
const expectValid = (value: unknown, path: readonly string[], what: string): void => {
  const pointer = path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'));
  const validate = ajv.getSchema(`openapi#/${pointer.map(encodeURIComponent).join('/')}`);
  if (!validate) throw new Error(`The document has nothing at ${path.join(' / ')}`);
  validate(value);
  // Without the value itself: on a service that others use it may be somebody's message.
  const faults = validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? [];
  expect(faults, `${what} is not as openapi.json has it`).toEqual([]);
};

const operations = Object.entries(paths).map(([path, methods]) => ({
  path,
  methods,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The keys that lead to the response which the document has for a status, and the response. */
const responseOf = (path: string, method: string, status: number) => {
  const own = ['paths', path, method, 'responses', String(status)];
  const found = paths[path]?.[method]?.responses[status];
  if (found === undefined) return undefined;
  if (!('$ref' in found)) return { keys: own, response: found };
  const name = found.$ref.split('/').at(-1) ?? '';
  const response = components.responses[name];
  return response && { keys: ['components', 'responses', name], response };
};

/** Headers of HTTP itself, and of what stands before the service: API Gateway, CloudFront. */
const ofOthers =
  /^(alt-svc|connection|content-length|content-type|date|keep-alive|server|strict-transport-security|transfer-encoding|via|x-amzn?-.*|x-cache)$/;

const headerNames = Object.keys(components.headers);

const expectHeaders = (sent: Headers, documented: readonly string[], what: string): void => {
  const known = new Set(documented.map((name) => name.toLowerCase()));
  const ours = new Set(headerNames.map((name) => name.toLowerCase()));
  const unknown = [...sent.keys()].filter((name) => !known.has(name) && (ours.has(name) || !ofOthers.test(name)));
  expect(unknown, `headers of ${what} that openapi.json does not have there`).toEqual([]);
  for (const name of documented) {
    const value = sent.get(name);
    const header = components.headers[name];
    if (value === null) expect(header?.required, `${what} lacks the header ${name}`).toBe(false);
    else {
      const read = header?.schema.type === 'integer' ? Number(value) : value;
      expectValid(read, ['components', 'headers', name, 'schema'], `${name} of ${what}`);
    }
  }
};

/**
 * Expects an answer that openapi.json has: its status, its headers, its body. A path or method that the document does not
 * have is answered by none of its operations.
 * @param path from the base URL on
 */
export const expectDocumented = (method: string, path: string, { status, headers, text, body }: Answer): void => {
  const { pathname } = new URL(path, 'http://service.example');
  const operation = operations.find(({ pattern }) => pattern.test(pathname));
  const verb = method.toLowerCase();
  if (!operation?.methods[verb]) return;
  // The service gives every error of its own a header that the gateway's have not.
  const isOfGateway = status >= 400 && !headers.has('cache-control');
  if (isOfGateway && target.lacks.includes('gateway-responses')) return;

  const what = `the ${status} of ${method} ${operation.path}`;
  const found = responseOf(operation.path, verb, status);
  expect(found, `${what} is not in openapi.json`).toBeDefined();
  if (!found) return;
  const { keys, response } = found;
  expectHeaders(headers, Object.keys(response.headers), what);

  const mediaTypes = Object.keys(response.content);
  if (mediaTypes.length === 0) {
    expect(text, `the body of ${what}`).toBe('');
    return;
  }
  const mediaType = headers.get('content-type')?.replace(/ *;.*/, '') ?? '';
  expect(mediaTypes, `the media type of ${what}`).toContain(mediaType);
  expectValid(body ?? text, [...keys, 'content', mediaType, 'schema'], `the body of ${what}`);
};

/** Sends a request to a path of a service, whose answer must be one that openapi.json has. */
export const sendDocumented = async (
  baseUrl: string,
  path: string,
  init: RequestInit = {},
  sendIt: typeof sendTo = sendTo,
): Promise<Answer> => {
  const answer = await sendIt(baseUrl + path, init);
  expectDocumented(init.method ?? 'GET', path, answer);
  return answer;
};
