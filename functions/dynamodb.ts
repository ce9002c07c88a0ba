import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/** Each attempt has this long, in milliseconds: three of them fit into a function's timeout. */
const attemptTimeout = 1500;

/** A client of DynamoDB that gives up early enough for the caller to be told. */
export const createDocumentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 500, requestTimeout: attemptTimeout, throwOnRequestTimeout: true },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );

const isSdkError = (error: unknown): error is SdkError =>
  error instanceof Error && (error.cause === undefined || error.cause instanceof Error);

/** Whether the store could not be reached or was throttling, so that a later try may succeed. */
export const isStoreUnavailable = (error: unknown): boolean =>
  isSdkError(error) && (isThrottlingError(error) || isTransientError(error));
