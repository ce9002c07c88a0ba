import type { HttpError } from './errors.ts';
import { type Fault, wordsOf } from './faults.ts';

/** An answer, as API Gateway's Lambda proxy integration takes it. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An answer of text. Nothing that this service answers may be kept by a cache: it is all personal or staff data. */
export const text = (
  statusCode: number,
  mediaType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode,
  headers: { 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-store', ...headers },
  body,
});

/** A JSON answer. */
export const json = (statusCode: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  text(statusCode, 'application/json', JSON.stringify(body), headers);

/** 204. */
export const noContent = (): HttpResponse => ({ statusCode: 204, headers: {}, body: '' });

/**
 * An error in the contract's form: `{ error, details? }`.
 * @param inWords says what to do about a fault
 */
export const errorResponse = (
  { status, message: error, details: faults, headers }: HttpError,
  inWords: (fault: Fault) => string,
): HttpResponse => {
  const details = faults.map((fault) => ({ ...fault, message: wordsOf(fault, inWords) }));
  return json(status, { error, ...(details.length > 0 && { details }) }, headers);
};
