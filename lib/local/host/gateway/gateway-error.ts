import { type ContextVariable, contextVariable, type GatewayResponse } from '../template/gateway-response.ts';
import type { Header, HttpResponse } from './http-message.ts';

/**
 * What API Gateway answers by itself: status and message of each type that this gateway meets, where the template
 * does not say otherwise.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const defaults = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_FAILURE: [500, null],
  DEFAULT_4XX: [400, 'Bad Request'],
  /** A function that failed, or answered in no form that the gateway knows. */
  DEFAULT_5XX: [502, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type'],
} as const satisfies Record<string, readonly [number, string | null]>;

/** The gateway responses that this gateway gives. */
export type GatewayErrorType = keyof typeof defaults;

/** A request that the gateway answers by itself, with the gateway response of that type. */
export class GatewayError extends Error {
  readonly type: GatewayErrorType;
  readonly clientMessage: string | null;

  /** @param message what a response template shows as `$context.error.message`, instead of the type's own */
  constructor(type: GatewayErrorType, message: string | null = defaults[type][1]) {
    super(message ?? type);
    this.type = type;
    this.clientMessage = message;
  }
}

const builtInTemplate = (type: GatewayErrorType) =>
  `{"${type === 'ACCESS_DENIED' ? 'Message' : 'message'}":$context.error.messageString}`;

/**
 * The answer to a request that met an error: as the template has it for the error's type, else for all types of its
 * class, else API Gateway's own.
 * @param responses the template's gateway responses by their type
 */
export const renderGatewayError = (
  { type, clientMessage }: GatewayError,
  responses: ReadonlyMap<string, GatewayResponse>,
  requestId: string,
): HttpResponse => {
  const [defaultStatus] = defaults[type];
  const response = responses.get(type) ?? responses.get(defaultStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const values: Readonly<Record<ContextVariable, string>> = {
    '$context.error.message': clientMessage ?? '',
    '$context.error.messageString': JSON.stringify(clientMessage),
    '$context.error.responseType': type,
    '$context.requestId': requestId,
  };
  const variables = new Map(Object.entries(values));
  const template = response?.ResponseTemplates['application/json'] ?? builtInTemplate(type);
  const headers = Object.entries(response?.ResponseParameters ?? {}).map(
    ([parameter, value]): Header => [parameter.replace('gatewayresponse.header.', ''), value],
  );
  return {
    statusCode: response?.StatusCode ?? defaultStatus,
    headers: [['Content-Type', 'application/json'], ...headers],
    body: template.replaceAll(contextVariable, (variable) => variables.get(variable) ?? variable),
  };
};
