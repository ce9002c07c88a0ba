import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { answerReserve } from './dynamodb.ts';
import { withoutLogging } from './log.ts';

/** For the store to answer, in milliseconds: a start that it keeps waiting goes on without. */
const patience = 250;

const context: Context = {
  awsRequestId: 'start',
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'start',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'start',
  logGroupName: 'start',
  logStreamName: 'start',
  memoryLimitInMB: '0',
  getRemainingTimeInMillis: () => patience + answerReserve,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

/** What a handler reads of the event of a REST API. */
type ReadOfEvent = Pick<
  APIGatewayProxyEvent,
  'body' | 'isBase64Encoded' | 'multiValueHeaders' | 'multiValueQueryStringParameters' | 'pathParameters'
>;

/** The event of a request that nobody sent, for a route such as `GET /v1/campaigns/{id}`. */
export const primingEvent = (route: string, parts: Partial<ReadOfEvent> = {}) => {
  const [httpMethod, resource] = route.split(' ');
  return {
    ...{ httpMethod, resource, isBase64Encoded: false, multiValueHeaders: {}, ...parts },
    requestContext: { requestId: 'start', path: 'start' },
  };
};

/**
 * Does once what the first call will do, while the function starts: there it has, as is often observed, a whole processor
 * (docs/decisions.md), and nobody's request waits for the connection to the store, nor for what V8 compiles at its first
 * use. Only where this variable is set, as on Lambda and in the local service: where a test imports a handler there may be no
 * store. Says nothing, and never fails.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 * @param handler what the function does with an event that changes nothing
 */
export const prime = async <Event>(
  handler: (event: Event, context: Context) => Promise<unknown>,
  event: Event,
): Promise<void> => {
  if (process.env['AWS_LAMBDA_INITIALIZATION_TYPE'] === undefined) return;
  await withoutLogging(() => handler(event, context).catch(() => {}));
};
