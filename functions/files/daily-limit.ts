import { partition } from '@aws-sdk/core/client';
import { LoggableError } from '../shared/calls.ts';
import { type CallLimits, callAws, endpointOf, regionOf } from './aws-call.ts';
import { dailyCounters } from './counters.ts';

const daysKept = 2;

interface Count {
  readonly table: string;
  readonly counter: keyof typeof dailyCounters;
  readonly bytes: number;
  /** Bytes. */
  readonly limit: number;
}

/**
 * Adds to the bytes of a day (UTC), unless they would exceed the limit. If a response is lost, they count twice.
 * @returns whether it did
 * @throws {LoggableError}
 */
export const countBytes = async (
  { table, counter, bytes, limit }: Count,
  now: Date,
  limits: CallLimits,
): Promise<boolean> => {
  if (bytes > limit) return false;
  const expiresAt = Math.floor(now.getTime() / 1000) + daysKept * 24 * 60 * 60;
  const { status, text } = await callAws(
    {
      service: 'dynamodb',
      method: 'POST',
      url: new URL(endpointOf('dynamodb') ?? `https://dynamodb.${regionOf()}.${partition(regionOf()).dnsSuffix}`),
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.UpdateItem' },
      body: JSON.stringify({
        TableName: table,
        Key: { id: { S: `${dailyCounters[counter]} ${now.toISOString().slice(0, 10)}` } },
        UpdateExpression: 'SET expiresAt = :expiresAt ADD #bytes :bytes',
        ConditionExpression: 'attribute_not_exists(#bytes) OR #bytes <= :most',
        ExpressionAttributeNames: { '#bytes': 'bytes' },
        ExpressionAttributeValues: {
          ':bytes': { N: String(bytes) },
          ':most': { N: String(limit - bytes) },
          ':expiresAt': { N: String(expiresAt) },
        },
      }),
    },
    now,
    limits,
  );
  if (status === 200) return true;
  if (text.includes('ConditionalCheckFailed')) return false;
  throw new LoggableError(`dynamodb: HTTP ${status}`);
};
