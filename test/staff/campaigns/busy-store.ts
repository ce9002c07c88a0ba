import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { inject } from 'vitest';
import { serve } from '../../support/server.ts';

const signedHeaders = v.object({
  authorization: v.string(),
  'content-type': v.string(),
  'x-amz-date': v.string(),
  'x-amz-target': v.string(),
});

const batch = v.object({ RequestItems: v.record(v.string(), v.array(v.unknown())) });

export interface BusyStore extends AsyncDisposable {
  readonly client: DynamoDBDocumentClient;
}

/**
 * A store in front of the tests' own that leaves some of a batch unwritten.
 * @param capacity how many items of the next batch it writes
 */
export const startBusyStore = async (capacity: () => number): Promise<BusyStore> => {
  const server = await serve(async (request, response, body) => {
    const headers = v.parse(signedHeaders, request.headers);
    const forward = async (text: string) =>
      (await fetch(inject('dynamoDbEndpoint'), { method: 'POST', headers, body: text })).text();

    const writeSome = async (text: string) => {
      const [[table = '', requests = []] = []] = Object.entries(v.parse(batch, JSON.parse(text)).RequestItems);
      const taken = capacity();
      if (taken > 0) await forward(JSON.stringify({ RequestItems: { [table]: requests.slice(0, taken) } }));
      const left = requests.slice(taken);
      return JSON.stringify({ UnprocessedItems: left.length > 0 ? { [table]: left } : {} });
    };

    const isBatch = headers['x-amz-target'].endsWith('.BatchWriteItem');
    const answer = await (isBatch ? writeSome : forward)(body.toString());
    response.writeHead(200, { 'Content-Type': headers['content-type'] }).end(answer);
  });
  return {
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: server.url })),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
