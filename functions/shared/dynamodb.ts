import { Readable } from 'node:stream';
import {
  type ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { DeserializeMiddleware, SdkError } from '@smithy/types';
import * as v from 'valibot';

/** Left to a function for its answer when the store keeps it waiting, in milliseconds. */
export const answerReserve = 500;

/**
 * Each attempt has this long, in milliseconds, from the request to the end of the answer: three of them, with the SDK's
 * pauses, end a second before the authorizer's time is over, which is the shortest of all functions.
 */
const attemptTimeout = 1200;

const answer = v.object({ response: v.object({ body: v.instance(Readable) }) });

/** The SDK's own `requestTimeout` ends with the headers of an answer: its body could stall for good. */
export const limitBody =
  <Input extends object, Output extends object>(milliseconds: number): DeserializeMiddleware<Input, Output> =>
  (next) =>
  async (args) => {
    const deadline = performance.now() + milliseconds;
    const output = await next(args);
    const { body } = v.parse(answer, output).response;
    // The SDK tries again after an error of this name.
    const end = () => body.destroy(Object.assign(new Error('stalled'), { name: 'TimeoutError' }));
    const timer = setTimeout(end, Math.max(0, deadline - performance.now()));
    body.once('close', () => clearTimeout(timer));
    return output;
  };

/** A number that JavaScript cannot hold exactly would fail the whole answer that it is in. */
export const documentOptions = { unmarshallOptions: { wrapNumbers: Number } };

/**
 * What the SDK would look for at its first call, in files and in variables that no function has. Where DynamoDB is follows
 * from the region, but in tests.
 */
const lambdaSettings = () => {
  const { AWS_REGION: region, AWS_ENDPOINT_URL: ofAll, AWS_ENDPOINT_URL_DYNAMODB: endpoint = ofAll } = process.env;
  return {
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    defaultsMode: 'standard',
    ignoreConfiguredEndpointUrls: true,
    retryMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: '',
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
  } satisfies DynamoDBClientConfig;
};

/** The bytes of an answer's body. The SDK's own collector looks for streams of browsers first, which Node then loads. */
const collect = (body: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.once('end', () => resolve(Buffer.concat(chunks)));
    body.once('error', reject);
  });

/** A client of DynamoDB that gives up early enough for the caller to be told. */
export const createDocumentClient = (): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    ...lambdaSettings(),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 500, requestTimeout: attemptTimeout, throwOnRequestTimeout: true },
    streamCollector: collect,
  });
  client.middlewareStack.add(limitBody(attemptTimeout), { step: 'deserialize' });
  return DynamoDBDocumentClient.from(client, documentOptions);
};

/** The item that refused a write which asked for it: the document client leaves errors as they are. */
export const existingItem = ({ Item: item }: ConditionalCheckFailedException): Record<string, unknown> | undefined =>
  item && unmarshall(item, { wrapNumbers: Number });

const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

/** Whether the store could not be reached or was throttling, so that a later try may succeed. */
export const isStoreUnavailable = (error: unknown): boolean =>
  isSdkError(error) && (isThrottlingError(error) || isTransientError(error));
