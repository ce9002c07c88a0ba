import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { inject } from 'vitest';
import { serve } from '../../support/server.ts';

export interface StandIn extends AsyncDisposable {
  readonly client: DynamoDBDocumentClient;
}

const object = v.pipe(v.string(), v.parseJson(), v.looseObject({}));

/**
 * Stands before the tests' own store, and answers one operation in its place.
 * @param reply is given what was asked, and what asks the store; an answer with `__type` is an error
 */
export const startStandIn = async (
  operation: string,
  reply: (asked: object, answer: (asked: object) => Promise<object>) => Promise<object>,
): Promise<StandIn> => {
  const server = await serve(async (request, response, body) => {
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'x-amz-date', 'x-amz-target']) {
      headers.set(name, String(request.headers[name]));
    }
    const answer = async (asked: object) => {
      const answered = await fetch(inject('dynamoDbEndpoint'), {
        method: 'POST',
        headers,
        body: JSON.stringify(asked),
      });
      return v.parse(object, await answered.text());
    };
    const asked = v.parse(object, body.toString());
    const isOurs = headers.get('x-amz-target')?.endsWith(`.${operation}`);
    const answered = await (isOurs ? reply(asked, answer) : answer(asked));
    const status = '__type' in answered ? 400 : 200;
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answered));
  });
  return {
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: server.url, maxAttempts: 1 })),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
