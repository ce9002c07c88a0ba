import type { Clock } from '../clock.ts';
import type { InvocationResult, Invoke } from '../lambda/function-pool.ts';
import type { Log } from '../log.ts';
import { accountId, region } from '../template/intrinsics.ts';
import type { ProxyIntegration } from '../template/method.ts';
import type { RestApi } from '../template/rest-api.ts';
import { GatewayError } from './gateway-error.ts';
import type { HttpRequest, HttpResponse } from './http-message.ts';
import { createMethodFinder, type MethodMatch } from './method-finder.ts';
import { createProxyEvent, createRequestContext, type RequestContext } from './proxy-event.ts';
import { readProxyResponse } from './proxy-response.ts';
import { createThrottle } from './throttle.ts';
import { createTokenAuthorizer } from './token-authorizer.ts';

/** What answers a request. Rejects with {GatewayError} where the gateway itself has to answer. */
export type Answer = (request: HttpRequest) => Promise<HttpResponse>;

/** An invocation's result, or nothing when that takes longer. */
const within = (clock: Clock, milliseconds: number, invocation: Promise<InvocationResult>) =>
  new Promise<InvocationResult | undefined>((resolve) => {
    const cancel = clock.after(milliseconds, () => resolve(undefined));
    void invocation.then((result) => {
      cancel();
      resolve(result);
    });
  });

/** Serves a REST API as API Gateway does: method, then throttle, then authorizer, then integration. */
export const createGateway = (api: RestApi, invoke: Invoke, clock: Clock, log: Log): Answer => {
  const findMethod = createMethodFinder(api.methods);
  const throttle = createThrottle(clock);
  const authorizers = new Map(
    api.methods.flatMap(({ authorizer }) =>
      authorizer ? [[authorizer, createTokenAuthorizer(authorizer, invoke, clock, log)] as const] : [],
    ),
  );

  const callFunction = async (
    { Uri, TimeoutInMillis }: ProxyIntegration,
    match: MethodMatch,
    request: HttpRequest,
    requestContext: RequestContext,
  ): Promise<HttpResponse> => {
    const event = createProxyEvent(api, match, request, requestContext);
    const result = await within(clock, TimeoutInMillis, invoke(Uri, event));
    if (!result) throw new GatewayError('INTEGRATION_TIMEOUT');
    if (!result.ok) throw new GatewayError('DEFAULT_5XX');
    const response = readProxyResponse(result.payload, request, api.binaryMediaTypes);
    if (!('malformedAt' in response)) return response;
    log('gateway', `${Uri} gave a malformed proxy response: see ${response.malformedAt}`);
    throw new GatewayError('DEFAULT_5XX');
  };

  return async (request) => {
    const match = findMethod(request.httpMethod, request.path);
    const { authorizer, integration } = match.method;
    throttle(match.method);
    const methodArn = `arn:aws:execute-api:${region}:${accountId}:${api.id}/${api.stage}/${request.httpMethod}${request.path}`;
    const authorized = authorizer && (await authorizers.get(authorizer)?.(request, methodArn));
    const requestContext = createRequestContext(api, match, request, authorized);
    if (integration.Type !== 'MOCK') return callFunction(integration, match, request, requestContext);
    // With what renders its templates, which takes a while to load.
    const { answerMock } = await import('./mock-integration.ts');
    return answerMock(integration, request, match.pathParameters, requestContext);
  };
};
