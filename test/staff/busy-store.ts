import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { serve } from '../support/server.ts';

export interface BusyStore extends AsyncDisposable {
  readonly client: DynamoDBDocumentClient;
}

/**
 * A store in front of the tests' own that throttles, as DynamoDB does:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 * @param isBusy is asked for each request, with its operation, such as `Query`
 */
export const startBusyStore = async (isBusy: (operation: string) => boolean): Promise<BusyStore> => {
  const server = await serve(async (request, response, body) => {
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'x-amz-date', 'x-amz-target']) {
      headers.set(name, String(request.headers[name]));
    }
    const type = { 'Content-Type': 'application/x-amz-json-1.0' };
    if (isBusy(headers.get('x-amz-target')?.split('.')[1] ?? '')) {
      const __type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
      response.writeHead(400, type).end(JSON.stringify({ __type, message: 'Throttled' }));
      return;
    }
    const answer = await fetch(inject('dynamoDbEndpoint'), { method: 'POST', headers, body: body.toString() });
    response.writeHead(answer.status, type).end(await answer.text());
  });
  return {
    // Three attempts take some hundred milliseconds.
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: server.url, maxAttempts: 3 })),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
