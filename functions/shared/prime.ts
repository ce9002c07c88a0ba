import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeserializeMiddleware, InitializeMiddleware } from '@smithy/types';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as v from 'valibot';
import { timeoutReserve } from './availability.ts';
import { documentOptions } from './dynamodb.ts';
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

const impossible = 'attribute_exists(primed) AND attribute_not_exists(primed)';

const conditional = v.object({ ConditionExpression: v.string() });

const refuseWrites =
  <Input extends object, Output extends object>(): InitializeMiddleware<Input, Output> =>
  (next) =>
  (args) => {
    const { ConditionExpression: condition } = v.parse(conditional, args.input);
    return next({ ...args, input: { ...args.input, ConditionExpression: `(${condition}) AND ${impossible}` } });
  };

const refused = v.object({ response: v.object({ statusCode: v.literal(400) }) });

const acceptRefusals =
  <Input extends object, Output extends object>(): DeserializeMiddleware<Input, Output> =>
  (next) =>
  async (args) => {
    const output = await next(args);
    if (v.is(refused, output)) Object.assign(output.response, { statusCode: 200 });
    return output;
  };

/**
 * The same client, over the same connection, for conditional writes of priming. Their conditions never hold, so nothing is written.
 * A refusal counts as a success, so that priming compiles what a write runs, and not what an error runs.
 */
export const primingClient = (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  const priming = DynamoDBDocumentClient.from(client, documentOptions);
  priming.middlewareStack = client.middlewareStack.clone();
  priming.middlewareStack.add(refuseWrites(), { step: 'initialize' });
  // The lowest priority: it sees the response before the SDK makes an error of it.
  priming.middlewareStack.add(acceptRefusals(), { step: 'deserialize', priority: 'low' });
  return priming;
};

/**
 * Calls a handler once while the function starts, so that no request waits for the connection to the store or for V8 to
 * compile. A starting function has a whole processor (docs/decisions.md). Does nothing unless Lambda or the local service
 * sets this variable, because a test that imports a handler can have no store. Logs and counts nothing, even if the store responds
 * after the wait, and never fails.
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
