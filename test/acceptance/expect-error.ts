import * as v from 'valibot';
import { expect } from 'vitest';
import type { Answer } from './http.ts';
import { reasonPhrases } from './reason-phrases.ts';

const errorBody = v.strictObject({
  error: v.string(),
  details: v.exactOptional(
    v.array(v.strictObject({ field: v.string(), message: v.pipe(v.string(), v.nonEmpty()) })),
    [],
  ),
});

/**
 * Expects an error in the service's form, and nothing else in its body.
 * @param fields what `details` names, each with a message; none: there are no details
 */
export const expectError = (answer: Answer, status: keyof typeof reasonPhrases, fields?: readonly string[]): void => {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  if (fields === undefined) {
    expect(answer.body).toEqual({ error: reasonPhrases[status] });
    return;
  }
  const { error, details } = v.parse(errorBody, answer.body);
  expect(error).toBe(reasonPhrases[status]);
  expect(details.map(({ field }) => field).sort()).toEqual([...fields].sort());
};
