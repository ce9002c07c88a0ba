import type { Fault, ParameterFault } from './faults.ts';
import { type ErrorStatus, reasonPhrases } from './reason-phrases.ts';

/** An error that the caller is told, in the contract's form. */
export class HttpError extends Error {
  readonly status: ErrorStatus;
  readonly details: readonly (Fault | ParameterFault)[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ErrorStatus,
    details: readonly (Fault | ParameterFault)[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(reasonPhrases[status]);
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** 400 with the one fault found. */
export const badRequest = (fault: Fault): HttpError => new HttpError(400, [fault]);
