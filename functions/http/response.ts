import { type FieldError, type HttpError, messageOf } from './errors.ts';

/** A response of a Lambda proxy integration. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A response with text. Caches must not keep it: all responses hold personal or staff data. */
export const textResponse = (
  statusCode: number,
  mediaType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode,
  headers: { 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-store', ...headers },
  body,
});

export const json = (statusCode: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  textResponse(statusCode, 'application/json', JSON.stringify(body), headers);

export const noContent = (): HttpResponse => ({ statusCode: 204, headers: {}, body: '' });

/**
 * An error in the contract's form: `{ error, details? }`.
 * @param inWords says in a sentence what to do about an error of a field; parameters have their own sentences
 */
export const errorResponse = (
  error: HttpError,
  inWords: (error: FieldError) => string = ({ code }) => code,
): HttpResponse => {
  const details = error.details.map((detail) => ({
    field: detail.field,
    code: detail.code,
    limit: 'limit' in detail ? detail.limit : undefined,
    sent: 'sent' in detail ? detail.sent : undefined,
    message: messageOf(detail, inWords),
  }));
  return json(error.status, { error: error.message, ...(details.length > 0 && { details }) }, error.headers);
};
