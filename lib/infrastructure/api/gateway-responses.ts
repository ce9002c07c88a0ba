import { type GatewayResponseOptions, ResponseType } from 'aws-cdk-lib/aws-apigateway';

/** Who can meet an error: a page of a site (then it carries CORS headers), or staff scripts only. */
type Audience = 'sites' | 'staff';

interface GatewayError {
  readonly type: ResponseType;
  readonly status: number;
  readonly error: string;
  readonly audience: Audience;
  readonly retryAfterSeconds?: number;
}

/**
 * The gateway's own errors in the service's form. `Not Found` stands for each way in which the gateway says that no
 * such endpoint exists: it takes an unknown path for one that needs an AWS signature.
 * Types: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const gatewayErrors: readonly GatewayError[] = [
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: 404, error: 'Not Found', audience: 'sites' },
  { type: ResponseType.INVALID_SIGNATURE, status: 404, error: 'Not Found', audience: 'sites' },
  { type: ResponseType.RESOURCE_NOT_FOUND, status: 404, error: 'Not Found', audience: 'sites' },
  { type: ResponseType.BAD_REQUEST_BODY, status: 400, error: 'Bad Request', audience: 'sites' },
  { type: ResponseType.BAD_REQUEST_PARAMETERS, status: 400, error: 'Bad Request', audience: 'sites' },
  { type: ResponseType.REQUEST_TOO_LARGE, status: 413, error: 'Content Too Large', audience: 'sites' },
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, status: 415, error: 'Unsupported Media Type', audience: 'sites' },
  { type: ResponseType.WAF_FILTERED, status: 403, error: 'Forbidden', audience: 'sites' },
  { type: ResponseType.THROTTLED, status: 429, error: 'Too Many Requests', audience: 'sites', retryAfterSeconds: 1 },
  {
    type: ResponseType.QUOTA_EXCEEDED,
    status: 429,
    error: 'Too Many Requests',
    audience: 'sites',
    retryAfterSeconds: 1,
  },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    status: 503,
    error: 'Service Unavailable',
    audience: 'sites',
    retryAfterSeconds: 5,
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    status: 503,
    error: 'Service Unavailable',
    audience: 'sites',
    retryAfterSeconds: 5,
  },
  { type: ResponseType.API_CONFIGURATION_ERROR, status: 500, error: 'Internal Server Error', audience: 'sites' },
  { type: ResponseType.DEFAULT_4XX, status: 400, error: 'Bad Request', audience: 'sites' },
  { type: ResponseType.DEFAULT_5XX, status: 500, error: 'Internal Server Error', audience: 'sites' },
  { type: ResponseType.UNAUTHORIZED, status: 401, error: 'Unauthorized', audience: 'staff' },
  { type: ResponseType.EXPIRED_TOKEN, status: 401, error: 'Unauthorized', audience: 'staff' },
  { type: ResponseType.ACCESS_DENIED, status: 403, error: 'Forbidden', audience: 'staff' },
  { type: ResponseType.INVALID_API_KEY, status: 403, error: 'Forbidden', audience: 'staff' },
  {
    type: ResponseType.AUTHORIZER_FAILURE,
    status: 503,
    error: 'Service Unavailable',
    audience: 'staff',
    retryAfterSeconds: 5,
  },
  { type: ResponseType.AUTHORIZER_CONFIGURATION_ERROR, status: 500, error: 'Internal Server Error', audience: 'staff' },
];

/**
 * What stands in `Access-Control-Allow-Origin`: the one origin; with several, the request's own, since a gateway
 * response cannot choose (docs/decisions/0006).
 */
const allowOrigin = (siteOrigins: readonly string[]) =>
  siteOrigins.length === 1 ? `'${siteOrigins[0]}'` : 'method.request.header.Origin';

/** The gateway responses of the API, by their ids. */
export const gatewayResponses = (siteOrigins: readonly string[]): [id: string, options: GatewayResponseOptions][] =>
  gatewayErrors.map(({ type, status, error, audience, retryAfterSeconds }) => [
    type.responseType,
    {
      type,
      statusCode: String(status),
      templates: { 'application/json': JSON.stringify({ error }) },
      responseHeaders: {
        ...(audience === 'sites' &&
          siteOrigins.length > 0 && { 'Access-Control-Allow-Origin': allowOrigin(siteOrigins), Vary: "'Origin'" }),
        ...(retryAfterSeconds && { 'Retry-After': `'${retryAfterSeconds}'` }),
      },
    },
  ]);
