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
