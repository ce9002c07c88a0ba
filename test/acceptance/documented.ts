import * as v from 'valibot';
import { expect, type RunnerTestCase, TestRunner } from 'vitest';
import { readDocument } from '../openapi/document.ts';
import { type ApiResponse, sendTo } from './http.ts';
import { target } from './target.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What `expectDocumented` accepted in the test, as in `GET /api/v1/contact 200`. */
    documented?: string[];
  }
}

/** Notes what the current test saw, for documented-reporter.ts. */
const note = (operation: string): void => {
  const { meta } = TestRunner.getCurrentTest<RunnerTestCase | undefined>() ?? {};
  if (meta) meta.documented = [...new Set(meta.documented).add(operation)];
};

/** Clients ignore properties that they do not know. The suite allows only documented ones. */
const closed = (_: unknown, value: unknown): unknown =>
  v.is(v.looseObject({ type: v.literal('object'), properties: v.unknown() }), value)
    ? { additionalProperties: false, ...value }
    : value;

const {
  document: { paths, components },
  errorsOf,
} = readDocument(closed);

const expectValid = (value: unknown, path: readonly string[], what: string): void =>
  expect(errorsOf(value, path), `${what} differs from openapi.yaml`).toEqual([]);

const operations = Object.entries(paths).map(([path, methods]) => ({
  path,
  methods,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The documented response of a status, and its path in the document. */
const responseOf = (path: string, method: string, status: number) => {
  const own = ['paths', path, method, 'responses', String(status)];
  const found = paths[path]?.[method]?.responses[status];
  if (found === undefined) return undefined;
  if (!('$ref' in found)) return { keys: own, response: found };
  const name = found.$ref.split('/').at(-1) ?? '';
  const response = components.responses[name];
  return response && { keys: ['components', 'responses', name], response };
};

/** Headers of HTTP itself, and of API Gateway and CloudFront. */
const ofOthers =
  /^(alt-svc|connection|content-length|content-type|date|keep-alive|server|strict-transport-security|transfer-encoding|via|x-amzn?-.*|x-cache)$/;

/** Headers that only browsers read: the document describes them once, in words. */
const ofBrowsers =
  /^(access-control-.*|cache-control|content-security-policy|referrer-policy|vary|x-content-type-options)$/;

const expectHeaders = (sent: Headers, documented: readonly string[], what: string): void => {
  const known = new Set(documented.map((name) => name.toLowerCase()));
  const unknown = [...sent.keys()].filter((name) => !(known.has(name) || ofOthers.test(name) || ofBrowsers.test(name)));
  expect(unknown, `headers of ${what} that openapi.yaml lacks`).toEqual([]);
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
 * Expects that openapi.yaml documents the response: its status, headers and body. Paths and methods that the document lacks
 * are not checked.
 * @param path from the base URL on
 */
export const expectDocumented = (method: string, path: string, { status, headers, text, body }: ApiResponse): void => {
  const { pathname } = new URL(path, 'http://service.example');
  const operation = operations.find(({ pattern }) => pattern.test(pathname));
  const verb = method.toLowerCase();
  if (!operation?.methods[verb]) return;
  // Only the gateway's own errors lack this header.
  const isOfGateway = status >= 400 && !headers.has('cache-control');
  if (isOfGateway && target.lacks.includes('gateway-responses')) return;

  const what = `the ${status} of ${method} ${operation.path}`;
  const found = responseOf(operation.path, verb, status);
  expect(found, `${what} is not in openapi.yaml`).toBeDefined();
  if (!found) return;
  const { keys, response } = found;
  expectHeaders(headers, Object.keys(response.headers), what);

  const mediaType = headers.get('content-type')?.replace(/ *;.*/, '') ?? '';
  // Pages for plain forms: the document describes them in words.
  if (verb === 'post' && mediaType === 'text/html') return;
  const mediaTypes = Object.keys(response.content);
  if (mediaTypes.length === 0) {
    expect(text, `the body of ${what}`).toBe('');
  } else {
    expect(mediaTypes, `the media type of ${what}`).toContain(mediaType);
    expectValid(body ?? text, [...keys, 'content', mediaType, 'schema'], `the body of ${what}`);
  }
  note(`${method} ${operation.path} ${status}`);
};

/** Sends a request to a service, and expects that openapi.yaml documents the response. */
export const sendDocumented = async (
  baseUrl: string,
  path: string,
  init: RequestInit = {},
  sendIt: typeof sendTo = sendTo,
): Promise<ApiResponse> => {
  const response = await sendIt(baseUrl + path, init);
  expectDocumented(init.method ?? 'GET', path, response);
  return response;
};
