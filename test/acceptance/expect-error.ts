import * as v from 'valibot';
import { expect } from 'vitest';
import type { ApiResponse } from './http.ts';

/** The reason phrase of each error, independent of the service's own list. */
const reasonPhrases = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const;

const errorBody = v.strictObject({
  error: v.string(),
  details: v.exactOptional(
    v.array(
      v.strictObject({
        field: v.string(),
        code: v.pipe(v.string(), v.regex(/^[a-z]+(_[a-z]+)*$/)),
        limit: v.exactOptional(v.number()),
        message: v.pipe(v.string(), v.nonEmpty()),
      }),
    ),
    [],
  ),
});

/**
 * Expects an error in the service's form.
 * @param fields the fields that `details` names; undefined: no details
 * @returns the codes of the errors, sorted by field
 */
export const expectError = (
  response: ApiResponse,
  status: keyof typeof reasonPhrases,
  fields?: readonly string[],
): string[] => {
  expect(response.status, response.text).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  if (fields === undefined) {
    expect(response.body).toEqual({ error: reasonPhrases[status] });
    return [];
  }
  const { error, details } = v.parse(errorBody, response.body);
  expect(error).toBe(reasonPhrases[status]);
  const byField = details.toSorted((one, other) => (one.field < other.field ? -1 : 1));
  expect(byField.map(({ field }) => field)).toEqual([...fields].sort());
  return byField.map(({ code }) => code);
};
