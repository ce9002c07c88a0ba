import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { timeoutReserve } from './availability.ts';
import { withoutLogging } from './log.ts';

/** Milliseconds to wait for the store before starting without priming. */
const storeTimeout = 250;

const context: Context = {
  awsRequestId: 'start',
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'start',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'start',
  logGroupName: 'start',
  logStreamName: 'start',
  memoryLimitInMB: '0',
  getRemainingTimeInMillis: () => storeTimeout + timeoutReserve,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

/** The parts of a REST API's event that handlers read. */
type EventParts = Pick<
  APIGatewayProxyEvent,
  'body' | 'isBase64Encoded' | 'multiValueHeaders' | 'multiValueQueryStringParameters' | 'pathParameters'
>;

/** An event to prime a handler with, for a route such as `GET /v1/campaigns/{id}`. */
export const primingEvent = (route: string, parts: Partial<EventParts> = {}) => {
  const [httpMethod, resource] = route.split(' ');
  return {
    httpMethod,
    resource,
    isBase64Encoded: false,
    multiValueHeaders: {},
    ...parts,
    requestContext: { extendedRequestId: 'start', path: 'start' },
  };
};

/**
 * Calls a handler once while the function starts, so that no request waits for the connection to the store or for V8 to
 * compile. A starting function has a whole processor (docs/decisions.md). Does nothing unless Lambda or the local service
 * sets this variable, because a test that imports a handler can have no store. Logs nothing and never fails.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 * @param event must change nothing
 */
export const prime = async <Event>(
  handler: (event: Event, context: Context) => Promise<unknown>,
  event: Event,
): Promise<void> => {
  if (process.env['AWS_LAMBDA_INITIALIZATION_TYPE'] === undefined) return;
  await withoutLogging(() => handler(event, context).catch(() => {}));
};
