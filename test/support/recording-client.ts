import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';

/** What was asked of DynamoDB, and what it answered. */
export interface RecordedCall {
  readonly input: unknown;
  readonly output: unknown;
}

/** A client that keeps a record of its calls, from within the SDK's own chain of middlewares. */
export const createRecordingClient = (): { client: DynamoDBDocumentClient; calls: readonly RecordedCall[] } => {
  const client = createDocumentClient();
  const calls: RecordedCall[] = [];
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      calls.push({ input: args.input, output: result.output });
      return result;
    },
    { step: 'initialize' },
  );
  return { client, calls };
};
