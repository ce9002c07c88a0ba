import { type GatewayResponseOptions, ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorStatus, reasonPhrases, retryAfterSeconds } from '../../functions/http/errors.ts';
import type { Environment } from './settings.ts';

/** Who can get the error. Pages of sites and inboxes need CORS headers to read it. */
type Audience = 'sites' | 'staff';

interface GatewayError {
  readonly type: ResponseType;
  readonly status: ErrorStatus;
  readonly audience: Audience;
  readonly details?: readonly [typeof tokenError];
}

/** By default, HTTP clients send tokens in `Authorization`. Only staff send tokens, so the message is English. */
export const tokenError = {
  field: 'Authentication',
  code: 'invalid_token',
  message: 'Send a valid token in the header Authentication, not in Authorization.',
} as const;

/**
 * The gateway's own errors in the service's form. Several types mean `Not Found`: API Gateway treats an unknown path as one
 * that needs an AWS signature.
 * Types: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const gatewayErrors: readonly GatewayError[] = [
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: 404, audience: 'sites' },
  { type: ResponseType.INVALID_SIGNATURE, status: 404, audience: 'sites' },
  { type: ResponseType.RESOURCE_NOT_FOUND, status: 404, audience: 'sites' },
  { type: ResponseType.REQUEST_TOO_LARGE, status: 413, audience: 'sites' },
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, status: 415, audience: 'sites' },
  { type: ResponseType.WAF_FILTERED, status: 403, audience: 'sites' },
  { type: ResponseType.THROTTLED, status: 429, audience: 'sites' },
  { type: ResponseType.INTEGRATION_FAILURE, status: 503, audience: 'sites' },
  { type: ResponseType.INTEGRATION_TIMEOUT, status: 503, audience: 'sites' },
  { type: ResponseType.API_CONFIGURATION_ERROR, status: 500, audience: 'sites' },
  { type: ResponseType.DEFAULT_4XX, status: 400, audience: 'sites' },
  { type: ResponseType.DEFAULT_5XX, status: 500, audience: 'sites' },
  { type: ResponseType.UNAUTHORIZED, status: 401, audience: 'staff', details: [tokenError] },
  { type: ResponseType.ACCESS_DENIED, status: 403, audience: 'staff' },
  { type: ResponseType.AUTHORIZER_FAILURE, status: 503, audience: 'staff' },
  { type: ResponseType.AUTHORIZER_CONFIGURATION_ERROR, status: 503, audience: 'staff' },
];

/**
 * Lets pages read the error and `Retry-After`. A gateway response cannot choose among origins: with several it is `*`
 * (docs/decisions.md), which browsers do not accept for a request with credentials.
 */
const corsHeaders = (origins: readonly string[], retryAfter: number | undefined): Record<string, string> => {
  if (origins.length === 0) return {};
  return {
    ...(origins.length === 1
      ? { 'Access-Control-Allow-Origin': `'${origins[0]}'`, 'Access-Control-Allow-Credentials': "'true'" }
      : { 'Access-Control-Allow-Origin': "'*'" }),
    // The handlers' responses at the same URL vary by origin.
    Vary: "'Origin'",
    ...(retryAfter !== undefined && { 'Access-Control-Expose-Headers': "'Retry-After'" }),
  };
};

/** The gateway responses of the API, by their ids. */
export const gatewayResponses = ({
  sites,
  inboxOrigins,
}: Pick<Environment, 'inboxOrigins' | 'sites'>): [id: string, options: GatewayResponseOptions][] => {
  const origins = [...sites.map(({ origin }) => origin), ...inboxOrigins];
  const hasInbox = inboxOrigins.length > 0;
  return gatewayErrors.map(({ type, status, audience, details }) => {
    const retryAfter = retryAfterSeconds[status];
    return [
      type.responseType,
      {
        type,
        statusCode: String(status),
        templates: { 'application/json': JSON.stringify({ error: reasonPhrases[status], details }) },
        responseHeaders: {
          ...((audience === 'sites' || hasInbox) && corsHeaders(origins, retryAfter)),
          ...(retryAfter !== undefined && { 'Retry-After': `'${retryAfter}'` }),
        },
      },
    ];
  });
};
