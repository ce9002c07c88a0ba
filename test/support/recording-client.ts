import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';

/** A request to DynamoDB, and its response. */
interface RecordedCall {
  readonly input: unknown;
  readonly output: unknown;
}

/** A client that records its calls. */
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
