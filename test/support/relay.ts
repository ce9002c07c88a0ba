import { inject } from 'vitest';
import { serve, type TestServer } from './server.ts';

export interface RelayOptions {
  /** Runs before a request for an operation, such as `PutItem`, is passed on to the store of a region. */
  readonly before?: (operation: string, region: string) => Promise<void>;
  /** Whether to lose the store's response; called once for each request. */
  readonly losesResponse?: (operation: string) => boolean;
}

/** A bad network between the SDK and the store. */
export const startRelay = ({ before, losesResponse }: RelayOptions): Promise<TestServer> =>
  serve(async (request, outgoing, body) => {
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'x-amz-date', 'x-amz-target']) {
      headers.set(name, String(request.headers[name]));
    }
    const operation = headers.get('x-amz-target')?.split('.')[1] ?? '';
    // The scope of the signature: Credential=<key>/<date>/<region>/dynamodb/aws4_request
    await before?.(operation, headers.get('authorization')?.split('/')[2] ?? '');
    const response = await fetch(inject('dynamoDbEndpoint'), { method: 'POST', headers, body: body.toString() });
    const text = await response.text();
    if (losesResponse?.(operation)) request.socket.destroy();
    else outgoing.writeHead(response.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(text);
  });
