import type { HttpError } from './errors.ts';

/** An answer, as API Gateway's Lambda proxy integration takes it. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A JSON answer. Nothing that this service answers may be kept by a cache: it is all personal or staff data. */
export const json = (statusCode: number, body: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  statusCode,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** 204. */
export const noContent = (): HttpResponse => ({ statusCode: 204, headers: {}, body: '' });

/** An error in the contract's form: `{ error, details? }`. */
export const errorResponse = ({ status, message, details, headers }: HttpError): HttpResponse =>
  json(status, { error: message, ...(details.length > 0 && { details }) }, headers);
