import { serve, type TestServer } from './server.ts';

/** How the fake answers. */
export type Behaviour =
  | { readonly status: number; readonly body: string }
  | 'hang up'
  | 'say nothing'
  | 'stop in the answer';

/** An error of DynamoDB. */
export const awsError = (status: number, name: string): Behaviour => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: `secret detail of ${name}` }),
});

export interface FakeDynamoDb extends TestServer {
  /** The number of requests so far. */
  readonly attempts: () => number;
}

/** A fake DynamoDB that fails, for the SDK's real client. */
export const startFakeDynamoDb = async (behaviour: Behaviour): Promise<FakeDynamoDb> => {
  let attempts = 0;
  const server = await serve((request, response) => {
    attempts += 1;
    if (behaviour === 'hang up') request.socket.destroy();
    else if (behaviour === 'stop in the answer') response.writeHead(200, { 'Content-Length': 100 }).write('{');
    else if (behaviour !== 'say nothing') {
      response.writeHead(behaviour.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(behaviour.body);
    }
  });
  return { ...server, attempts: () => attempts };
};
