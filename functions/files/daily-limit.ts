import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../shared/dynamodb.ts';

/** The items that count the bytes of a day stand in the table of contact requests, under ids that no contact request has. */
export const dailyCounters = { all: 'files', caught: 'caught files' } as const;

const daysKept = 2;

/**
 * Adds to the bytes of a day (UTC), unless they would exceed the limit. An attempt whose response was lost counts twice.
 * @returns whether it did
 */
export const countBytes = async (
  { client, table }: Table,
  counter: keyof typeof dailyCounters,
  bytes: number,
  limit: number,
  now: Date,
): Promise<boolean> => {
  if (bytes > limit) return false;
  const seconds = Math.floor(now.getTime() / 1000);
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: `${dailyCounters[counter]} ${now.toISOString().slice(0, 10)}` },
        UpdateExpression: 'SET expiresAt = :expiresAt ADD #bytes :bytes',
        ConditionExpression: 'attribute_not_exists(#bytes) OR #bytes <= :most',
        ExpressionAttributeNames: { '#bytes': 'bytes' },
        ExpressionAttributeValues: {
          ':bytes': bytes,
          ':most': limit - bytes,
          ':expiresAt': seconds + daysKept * 24 * 60 * 60,
        },
      }),
    );
    return true;
  } catch (error) {
    // Of another bundle than this file, so it has another class.
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};
