/** The reason phrase of each status that the service answers with an error (RFC 9110, section 15; 429: RFC 6585). */
export const reasonPhrases = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

export type ErrorStatus = keyof typeof reasonPhrases;

/** After how many seconds a caller who meets the status should try again. */
export const retryAfterSeconds: Partial<Record<ErrorStatus, number>> = { 429: 1, 503: 5 };

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
