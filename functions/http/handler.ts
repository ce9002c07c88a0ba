import middy, { type MiddlewareObj } from '@middy/core';
import { answerReserve, isStoreUnavailable } from '../shared/dynamodb.ts';
import { describeError, log } from '../shared/log.ts';
import { type Fault, HttpError, retryAfterSeconds } from './errors.ts';
import { type HttpRequest, parseRequest } from './request.ts';
import { errorResponse, type HttpResponse } from './response.ts';

/** Says to who sent the request what to do about a fault. */
type InWords = (fault: Fault, request: HttpRequest) => string;

/** What stands around a handler: sees the parsed request, may change the answer. */
export type HttpMiddleware = MiddlewareObj<HttpRequest, HttpResponse>;

const unavailable = () => new HttpError(503, [], { 'Retry-After': String(retryAfterSeconds[503]) });

const parse = (): HttpMiddleware => ({
  before: (request) => {
    request.event = parseRequest(request.event);
    // The gateway takes a path with a slash at its end for the one without; it is none of the service's paths.
    if (request.event.url.endsWith('/')) throw new HttpError(404);
  },
});

/** One line a request that is not answered as it asks: the gateway's access log has a line of each (lib/infrastructure/api/access-log.ts). */
const logRefusals = (): HttpMiddleware => {
  const logAnswer: NonNullable<HttpMiddleware['onError']> = ({ event, response }) =>
    log('info', 'request', { requestId: event.id, route: event.route, status: response?.statusCode });
  return { onError: logAnswer };
};

/** Every error becomes an answer here, and nowhere else. What is not meant for the caller is logged instead. */
const answerErrors = (inWords: InWords): HttpMiddleware => ({
  onError: (request) => {
    const { error, event } = request;
    const known = error instanceof HttpError ? error : isStoreUnavailable(error) ? unavailable() : new HttpError(500);
    if (known !== error)
      log('error', known.message, { requestId: event.id, route: event.route, ...describeError(error) });
    request.error = known;
    request.response = errorResponse(known, (fault) => inWords(fault, event));
  },
});

/**
 * Makes a Lambda handler of what answers a request.
 * @param answer its signal tells that the time is over, and that nobody waits any more
 * @param middlewares are inside of logging and around the handler: the first is the outermost; what they do on an
 * error comes after it has become an answer
 * @param inWords is needed where visitors send a body: a query's faults are in words
 */
export const httpHandler = (
  answer: (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>,
  middlewares: HttpMiddleware[] = [],
  inWords: InWords = ({ code }) => code,
) =>
  middy<HttpRequest, HttpResponse>({
    timeoutEarlyInMillis: answerReserve,
    timeoutEarlyResponse: () => {
      throw unavailable();
    },
  })
    .use(parse())
    .use(logRefusals())
    .use(middlewares)
    .use(answerErrors(inWords))
    .handler<unknown>((request, _, { signal }) => answer(request, signal));
