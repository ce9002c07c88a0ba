/** The reason phrases of the service's error statuses (RFC 9110, section 15; 429: RFC 6585). */
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

/** Seconds after which a client should retry. */
export const retryAfterSeconds: Partial<Record<ErrorStatus, number>> = { 429: 1, 503: 5 };

/**
 * What can be wrong with a contact request. Codes are stable, so that pages can show their own texts. The service's texts
 * stand in functions/languages/.
 */
export const errorCodes = [
  /** A required field is missing. */
  'required',
  /** A text has more than `limit` characters. */
  'too_long',
  /** More than `limit` values in a body, header lines in a multipart body, or extra fields. */
  'too_many',
  /** The names and values of the extra fields have more than `limit` bytes. */
  'too_large',
  'invalid_email',
  'invalid_phone',
  /** Not text: an object, a list for a single value, or a number that JavaScript cannot hold exactly. */
  'not_text',
  /** JSON in invalid UTF-8. */
  'malformed_text',
  /** A field's name has more than `limit` characters. */
  'invalid_name',
  'malformed_json',
  /** JSON, but not an object. */
  'not_an_object',
  'malformed_multipart',
  /** A part of a multipart body with a Content-Transfer-Encoding. */
  'encoded_part',
  'invalid_idempotency_key',
  /** The Idempotency-Key was used before with other content; with status 422. */
  'idempotency_key_reused',
  /** More than `limit` files. */
  'too_many_files',
  /** A file whose content is of none of the `types` that the form accepts. */
  'file_type',
  /** A file without content. */
  'empty_file',
  /** A body with files that has more than `limit` bytes; with status 413. */
  'files_too_large',
  /** The environment stores no more files today; with status 413. */
  'daily_files_limit',
] as const;

/** What can be wrong with a query parameter. */
export const parameterErrorCodes = ['unknown_parameter', 'repeated_parameter', 'invalid_parameter'] as const;

/** What can be wrong with a change of a contact request, if it is a JSON object. */
export const changeErrorCodes = ['unknown_field', 'not_boolean', 'no_change'] as const;

/** What can be wrong with the headers of a body. */
export const headerErrorCodes = ['unsupported_type', 'unsupported_charset', 'unsupported_coding'] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The codes that have a limit. */
export const codesWithLimit = [
  'too_long',
  'too_many',
  'too_large',
  'invalid_name',
  'invalid_idempotency_key',
  'too_many_files',
  'files_too_large',
] as const satisfies readonly ErrorCode[];

export type CodeWithLimit = (typeof codesWithLimit)[number];

/** What is wrong with a value. */
export type ValueError =
  | { readonly code: Exclude<ErrorCode, CodeWithLimit | 'required' | 'file_type'> }
  /** With the limit that was exceeded: characters, values, files or bytes. */
  | { readonly code: Exclude<CodeWithLimit, 'files_too_large'>; readonly limit: number };

/** What a visitor has to fill in. */
export type Requirement =
  | 'message'
  /** One of the two. */
  | 'emailOrPhone'
  /** One of the fields with this requirement. */
  | 'oneOfSeveral'
  /** This field, whatever it is. */
  | 'other';

/** Nothing is filled in. */
export interface MissingValue {
  readonly code: 'required';
  readonly requirement: Requirement;
  /** The form does not have the field. */
  readonly isAbsent?: boolean;
}

/** What is wrong with what came as files. */
export type FilesError =
  /** With the types that the form accepts, as people call them. */
  | { readonly code: 'file_type'; readonly types: readonly string[] }
  /** In bytes: what a body may have, and what came. */
  | { readonly code: 'files_too_large'; readonly limit: number; readonly sent: number };

/** What is wrong with a field, or with the `body` as a whole. */
export type FieldError = (ValueError | MissingValue | FilesError) & {
  readonly field: string;
  /** The field of the contact request, whatever the form calls it. */
  readonly contactField?: string | undefined;
};

/** What is wrong with what a script sends. Only its author reads the message, so it is English. */
export interface ScriptError {
  readonly field: string;
  readonly code: (typeof parameterErrorCodes | typeof changeErrorCodes | typeof headerErrorCodes)[number];
  /** Says in a sentence what to do. */
  readonly message: string;
}

export type ErrorDetail = FieldError | ScriptError;

/** The codes that concern the body as a whole. Any other code at `body` concerns a field of that name. */
const codesOfBody: readonly string[] = [
  'too_many',
  'too_large',
  'malformed_text',
  'invalid_name',
  'malformed_json',
  'not_an_object',
  'malformed_multipart',
  'encoded_part',
] satisfies ErrorCode[];

/** Whether the error concerns the body as a whole. */
export const isOfBody = ({ field, code }: Pick<ErrorDetail, 'field' | 'code'>): boolean =>
  field === 'body' && codesOfBody.includes(code);

/** What to do about an error, in a sentence. */
export const messageOf = (error: ErrorDetail, inWords: (error: FieldError) => string): string =>
  'message' in error ? error.message : inWords(error);

/** An error that the client sees, as `{ error, details? }`. */
export class HttpError extends Error {
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ErrorStatus,
    details: readonly ErrorDetail[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(reasonPhrases[status]);
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** 400 with a single error. */
export const badRequest = (error: FieldError): HttpError => new HttpError(400, [error]);
