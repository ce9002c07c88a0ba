import middy, { type MiddlewareObj } from '@middy/core';
import { isUnavailable, timeoutReserve } from '../shared/availability.ts';
import { describeError, log } from '../shared/log.ts';
import { HttpError, retryAfterSeconds } from './errors.ts';
import { type HttpRequest, parseRequest } from './request.ts';
import { errorResponse, type HttpResponse } from './response.ts';

/** Makes a response of an error. */
type ResponseToError = (error: HttpError, request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Middleware that sees the parsed request and may change the response. */
export type HttpMiddleware = MiddlewareObj<HttpRequest, HttpResponse>;

/** For what the service cannot do now, but may a moment later. */
export const unavailable = () => new HttpError(503, [], { 'Retry-After': String(retryAfterSeconds[503]) });

const parse: HttpMiddleware = {
  before: (request) => {
    try {
      request.event = parseRequest(request.event);
    } catch (error) {
      // Without a request, `responseTo` cannot tell what its sender expects.
      log('error', 'not an event of a REST API', describeError(error));
      return errorResponse(new HttpError(500));
    }
    // The gateway ignores a slash at the end of a path, but no path of the service has one.
    if (request.event.url.endsWith('/')) throw new HttpError(404);
  },
};

/** Logs failed requests only: the gateway's access log has a line for each request (lib/infrastructure/access-log.ts). */
const logRefusals: HttpMiddleware = {
  onError: ({ event, response }) =>
    log('info', 'request', { requestId: event.id, route: event.route, status: response?.statusCode }),
};

/** The one place where errors become responses. Errors that clients must not see are logged. */
const respondToErrors = (responseTo: ResponseToError): HttpMiddleware => ({
  onError: async (request) => {
    const { error, event } = request;
    const known = error instanceof HttpError ? error : isUnavailable(error) ? unavailable() : new HttpError(500);
    if (known !== error)
      log('error', known.message, { requestId: event.id, route: event.route, ...describeError(error) });
    request.error = known;
    request.response = await responseTo(known, event);
  },
});

/**
 * Makes a Lambda handler from a function that responds to a request.
 * @param respond its signal aborts when the time is over
 * @param middlewares run around `respond`, the first outermost; their `onError` sees errors that have become responses
 * @param responseTo only requests with a body need one: JSON is the default
 */
export const httpHandler = (
  respond: (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>,
  middlewares: HttpMiddleware[] = [],
  responseTo: ResponseToError = (error) => errorResponse(error),
) =>
  middy<HttpRequest, HttpResponse>({
    timeoutEarlyInMillis: timeoutReserve,
    timeoutEarlyResponse: () => {
      throw unavailable();
    },
  })
    .use(parse)
    .use(logRefusals)
    .use(middlewares)
    .use(respondToErrors(responseTo))
    .handler<unknown>((request, _, { signal }) => respond(request, signal));
