import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import { accountId, region } from '../template/intrinsics.ts';
import type { Method, RestApi } from '../template/rest-api.ts';
import { createTurnstile } from '../turnstile.ts';
import { GatewayError } from './gateway-error.ts';
import type { HttpRequest, HttpResponse } from './http-message.ts';
import { createProxyEvent, readProxyResponse, respondFromMock } from './integrations.ts';
import { createTokenAuthorizer } from './token-authorizer.ts';

/** Responds to a request. Rejects with {GatewayError} if the gateway must respond itself. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

const segmentsOf = (path: string) => path.split('/').slice(1);

const isParameter = (segment: string) => segment.startsWith('{');

/** The encoded parameters of a path, if the pattern matches it. */
const matchSegments = (pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined => {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const given = segments[index] ?? '';
    if (isParameter(expected) && given !== '') parameters[expected.slice(1, -1)] = given;
    else if (expected !== given) return undefined;
  }
  return parameters;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new GatewayError('DEFAULT_4XX');
  }
};

/**
 * Finds the method of a request as API Gateway does, by path and HTTP method together. A literal segment comes before a
 * parameter. A slash at the end does not count.
 * @returns a function that gives the method and the decoded parameters, or throws {GatewayError}
 */
const createMethodFinder = (methods: readonly Method[]) => {
  const candidates = methods.map((method) => ({ method, pattern: segmentsOf(method.resourcePath) }));
  const orderOf = ({ pattern }: (typeof candidates)[number]) =>
    pattern.map((each) => Number(isParameter(each))).join('');
  candidates.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

  return (httpMethod: string, path: string) => {
    decode(path);
    const segments = segmentsOf(path.length > 1 ? path.replace(/\/$/, '') : path);
    for (const { method, pattern } of candidates) {
      const encoded = method.httpMethod === httpMethod ? matchSegments(pattern, segments) : undefined;
      if (!encoded) continue;
      const decoded = Object.entries(encoded).map(([name, value]) => [name, decode(value)] as const);
      const pathParameters: Readonly<Record<string, string>> = Object.fromEntries(decoded);
      return { method, pathParameters };
    }
    throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
  };
};

/**
 * A token bucket for each method: it holds `burst` requests and refills at `rate` a second.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 * @returns a function that takes a request from its method's bucket, and throws {GatewayError} if the bucket is empty
 */
const createThrottle = ({ now }: Clock) => {
  const buckets = new Map<Method, { readonly tokens: number; readonly time: number }>();
  return (method: Method): void => {
    if (!method.throttle) return;
    const { rate, burst } = method.throttle;
    const time = now();
    const last = buckets.get(method) ?? { tokens: burst, time };
    // A clock that was set back must not empty the bucket.
    const passed = Math.max(0, time - last.time);
    const tokens = Math.min(burst, last.tokens + (passed / 1000) * rate);
    const isTaken = tokens >= 1;
    buckets.set(method, { tokens: isTaken ? tokens - 1 : tokens, time });
    if (!isTaken) throw new GatewayError('THROTTLED');
  };
};

/** Bytes of a body that is worked on alone. */
const largeBody = 1024 * 1024;

/**
 * Serves a REST API as API Gateway does: method, then throttle, then authorizer, then integration.
 * @param publicUrl as in `createProxyEvent`
 */
export const createGateway = (api: RestApi, invoke: Invoke, clock: Clock, log: Log, publicUrl?: URL): Respond => {
  const findMethod = createMethodFinder(api.methods);
  const throttle = createThrottle(clock);
  const authorizers = new Map(
    api.methods.flatMap(({ authorizer }) =>
      authorizer ? [[authorizer, createTokenAuthorizer(authorizer, invoke, clock, log)] as const] : [],
    ),
  );

  // A function's work takes the size of a body many times: as bytes, in base64, in the event, and in what is sent on. With eight at
  // once, 20 uploads of 4.4 MB took 400 MB, and longer.
  const takeLargeTurn = createTurnstile(1);

  const callFunction = async (functionArn: string, event: object): Promise<HttpResponse> => {
    const result = await invoke(functionArn, event);
    if (!result.ok) throw new GatewayError('DEFAULT_5XX');
    const response = readProxyResponse(result.payload);
    if (!('malformedAt' in response)) return response;
    log('gateway', `${functionArn} gave a malformed proxy response: check ${response.malformedAt}`);
    throw new GatewayError('DEFAULT_5XX');
  };

  return async (request) => {
    const { method, pathParameters } = findMethod(request.httpMethod, request.path);
    const { authorizer, integration } = method;
    throttle(method);
    const methodArn = `arn:aws:execute-api:${region}:${accountId}:${api.id}/${api.stage}/${request.httpMethod}${request.path}`;
    const authorized = authorizer && (await authorizers.get(authorizer)?.(request, methodArn));
    if (typeof integration === 'string') {
      const call = () =>
        callFunction(integration, createProxyEvent(api, method, pathParameters, request, authorized, publicUrl));
      return request.body.length < largeBody ? call() : takeLargeTurn(call);
    }
    return respondFromMock(integration, request);
  };
};
