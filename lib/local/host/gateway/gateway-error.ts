import { STATUS_CODES } from 'node:http';
import type { StaticResponse } from '../template/rest-api.ts';
import type { HttpResponse } from './http-message.ts';

/**
 * The errors of the gateway itself, with their default statuses.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const statuses = {
  ACCESS_DENIED: 403,
  AUTHORIZER_CONFIGURATION_ERROR: 500,
  AUTHORIZER_FAILURE: 500,
  DEFAULT_4XX: 400,
  /** A function failed, or its response is malformed. */
  DEFAULT_5XX: 502,
  /** No method has this path. */
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  THROTTLED: 429,
  UNAUTHORIZED: 401,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The web ACL blocks it. */
  WAF_FILTERED: 403,
} as const;

type GatewayErrorType = keyof typeof statuses;

/** The gateway responds to this request itself, with the gateway response of the type. */
export class GatewayError extends Error {
  readonly type: GatewayErrorType;

  constructor(type: GatewayErrorType) {
    super(type);
    this.type = type;
  }
}

/** Renders an error with the template's response for its type, or else for its class. */
export const renderGatewayError = (
  { type }: GatewayError,
  responses: ReadonlyMap<string, StaticResponse>,
): HttpResponse => {
  const response = responses.get(type) ?? responses.get(statuses[type] < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const statusCode = response?.statusCode ?? statuses[type];
  return {
    statusCode,
    headers: [['Content-Type', 'application/json'], ...(response?.headers ?? [])],
    body: response?.body ?? JSON.stringify({ message: STATUS_CODES[statusCode] }),
  };
};
