import { type ErrorStatus, reasonPhrases } from './reason-phrases.ts';

/** What is wrong with one field, header or parameter: `message` is a sentence that says what to do. */
export interface FaultDetail {
  readonly field: string;
  readonly message: string;
}

/** An error that the caller is told, in the contract's form. */
export class HttpError extends Error {
  readonly status: ErrorStatus;
  readonly details: readonly FaultDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ErrorStatus,
    details: readonly FaultDetail[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(reasonPhrases[status]);
    this.name = `HttpError${status}`;
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** 400 with the faults found. */
export const badRequest = (...details: FaultDetail[]): HttpError => new HttpError(400, details);
