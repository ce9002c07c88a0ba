import * as v from 'valibot';

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

/**
 * What can be wrong with what a visitor sent: stable, so that a page can say it in its own words. The service's own words
 * are those of a language (functions/contacts/languages/).
 */
export const faultCodes = [
  /** A field that must be there is not: the message, or every way to answer. */
  'required',
  /** A text has more than `limit` characters. */
  'too_long',
  /** More than `limit`: values in a body, header lines in a multipart one, fields besides the service's own. */
  'too_many',
  /** More than `limit` bytes, of fields besides the service's own, names and values together. */
  'too_large',
  'invalid_email',
  'invalid_phone',
  /** A control character, which a line break is, too, where a single line fits. */
  'control_character',
  /** A value that is no text: an object, or a list where one value fits, or a number that JSON readers change. */
  'not_text',
  /** Bytes that are no UTF-8, or half of a character. */
  'malformed_text',
  /** A field's name has not 1 to `limit` characters, or a control character. */
  'invalid_name',
  'malformed_json',
  /** The JSON is no object. */
  'not_an_object',
  'malformed_multipart',
  /** A part of a multipart body with a Content-Transfer-Encoding. */
  'encoded_part',
  'invalid_idempotency_key',
  /** An Idempotency-Key that was used before with other content: with 422. */
  'idempotency_key_reused',
] as const;

/** What can be wrong with a query parameter. Only staff send them, so the service says it in English. */
export const parameterFaultCodes = ['unknown_parameter', 'repeated_parameter', 'invalid_parameter'] as const;

export type FaultCode = (typeof faultCodes)[number];

/** What is wrong with a field, or with the `body` as a whole. */
export interface Fault {
  readonly field: string;
  readonly code: FaultCode;
  /** What a code's bound is: of characters, values or bytes. */
  readonly limit?: number;
}

/** What is wrong with a query parameter: `message` is a sentence that says what to do. */
export interface ParameterFault {
  readonly field: string;
  readonly code: (typeof parameterFaultCodes)[number];
  readonly message: string;
}

/** What to do about a fault, in a sentence. */
export const wordsOf = (fault: Fault | ParameterFault, inWords: (fault: Fault) => string): string =>
  'message' in fault ? fault.message : inWords(fault);

/** The codes that have a limit. */
export const codesWithLimit = [
  'too_long',
  'too_many',
  'too_large',
  'invalid_name',
  'invalid_idempotency_key',
] as const satisfies readonly FaultCode[];

export type CodeWithLimit = (typeof codesWithLimit)[number];

/** A rule's message, when it is broken: a code, and a limit behind it. `faultOf` reads it. */
export const broken = (...broken: [code: Exclude<FaultCode, CodeWithLimit>] | [CodeWithLimit, limit: number]): string =>
  broken.join(' ');

/** The fault of a field by the message of the rule that it breaks. */
export const faultOf = (field: string, message: string): Fault => {
  const [code, limit] = message.split(' ');
  return { field, code: v.parse(v.picklist(faultCodes), code), ...(limit !== undefined && { limit: Number(limit) }) };
};

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
