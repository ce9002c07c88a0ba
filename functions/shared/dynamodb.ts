import { Readable } from 'node:stream';
import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DeserializeMiddleware } from '@smithy/types';
import * as v from 'valibot';
import { createDynamoDbClient } from '../sdk/dynamodb-client.ts';

/**
 * Milliseconds for an attempt, from the request to the end of the response. All attempts with the SDK's pauses fit into the
 * authorizer's timeout, the shortest of all functions.
 */
export const attemptTimeout = 1200;

export const maxAttempts = 3;

const withBody = v.object({ response: v.object({ body: v.instance(Readable) }) });

/** Ends a response whose body takes too long: the SDK's `requestTimeout` ends with the headers, so a body could stall for good. */
export const bodyTimeout =
  <Input extends object, Output extends object>(milliseconds: number): DeserializeMiddleware<Input, Output> =>
  (next) =>
  async (args) => {
    const deadline = performance.now() + milliseconds;
    const output = await next(args);
    const { body } = v.parse(withBody, output).response;
    // The SDK retries after an error of this name.
    const end = () => body.destroy(Object.assign(new Error('stalled'), { name: 'TimeoutError' }));
    const timer = setTimeout(end, Math.max(0, deadline - performance.now()));
    body.once('close', () => clearTimeout(timer));
    return output;
  };

/** One table: its name, and a client that reaches it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** Without this option, the SDK throws at a number that JavaScript cannot hold exactly. */
export const documentOptions = { unmarshallOptions: { wrapNumbers: Number } };

/** A DynamoDB client that gives up early enough for a response to the caller. */
export const createDocumentClient = (): DynamoDBDocumentClient => {
  const client = createDynamoDbClient({
    maxAttempts,
    requestHandler: { connectionTimeout: 500, requestTimeout: attemptTimeout, throwOnRequestTimeout: true },
  });
  client.middlewareStack.add(bodyTimeout(attemptTimeout), { step: 'deserialize' });
  return DynamoDBDocumentClient.from(client, documentOptions);
};

/** The item that made a conditional write fail. The document client does not unmarshall errors. */
export const existingItem = ({ Item: item }: ConditionalCheckFailedException): Record<string, unknown> | undefined =>
  item && unmarshall(item, { wrapNumbers: Number });

/**
 * Whether the SDK retried the failed write. If the response to the first attempt was lost, the retry finds that attempt's own
 * item.
 */
export const wasRetried = ({ $metadata }: ConditionalCheckFailedException): boolean => ($metadata.attempts ?? 1) > 1;
