import { STATUS_CODES } from 'node:http';
import type { StaticAnswer } from '../template/rest-api.ts';
import type { HttpResponse } from './http-message.ts';

/**
 * The errors that the gateway answers by itself, with the status of each if the template does not say otherwise.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const statuses = {
  ACCESS_DENIED: 403,
  AUTHORIZER_CONFIGURATION_ERROR: 500,
  AUTHORIZER_FAILURE: 500,
  DEFAULT_4XX: 400,
  /** A function failed, or answered in no form that the gateway knows. */
  DEFAULT_5XX: 502,
  INTEGRATION_TIMEOUT: 504,
  /** There is no such method. */
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  THROTTLED: 429,
  UNAUTHORIZED: 401,
  UNSUPPORTED_MEDIA_TYPE: 415,
} as const;

export type GatewayErrorType = keyof typeof statuses;

/** A request that the gateway answers by itself, with the gateway response of that type. */
export class GatewayError extends Error {
  readonly type: GatewayErrorType;

  constructor(type: GatewayErrorType) {
    super(type);
    this.type = type;
  }
}

/** The answer to a request that met an error: as the template has it for the error's type, else for all of its class. */
export const renderGatewayError = (
  { type }: GatewayError,
  responses: ReadonlyMap<string, StaticAnswer>,
): HttpResponse => {
  const response = responses.get(type) ?? responses.get(statuses[type] < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const statusCode = response?.statusCode ?? statuses[type];
  return {
    statusCode,
    headers: [['Content-Type', 'application/json'], ...(response?.headers ?? [])],
    body: response?.body ?? JSON.stringify({ message: STATUS_CODES[statusCode] }),
  };
};
