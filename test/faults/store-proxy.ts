import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from '../support/server.ts';

/** One request on its way to the store. */
interface Passage {
  readonly response: ServerResponse;
  /** Lets the store do what it is asked, and gives its answer. */
  readonly forward: () => Promise<{ readonly status: number; readonly text: string }>;
}

const json = { 'Content-Type': 'application/x-amz-json-1.0' };

const refuse =
  (status: number, type: string, message: string, headers: Record<string, string> = {}) =>
  ({ response }: Passage) => {
    const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message });
    response.writeHead(status, { ...json, ...headers }).end(body);
  };

const half = async ({ response, forward }: Passage): Promise<ServerResponse> => {
  const { status, text } = await forward();
  response.writeHead(status, { ...json, 'Content-Length': Buffer.byteLength(text) });
  await new Promise<void>((resolve) => response.write(text.slice(0, text.length / 2), () => resolve()));
  return response;
};

/** What may go wrong between a function and its store. */
const faults = {
  throttling: refuse(400, 'ProvisionedThroughputExceededException', 'The level of configured throughput was exceeded.'),
  'error 500': refuse(500, 'InternalServerError', 'The request processing has failed.'),
  'error 503': ({ response }: Passage) => {
    response.writeHead(503, { 'Content-Type': 'text/html' }).end('<html>Service Unavailable</html>');
  },
  reset: ({ response }: Passage) => {
    response.socket?.resetAndDestroy();
  },
  'hang before the answer': () => {},
  'hang within the answer': async (passage: Passage) => {
    await half(passage);
  },
  'half an answer': async (passage: Passage) => {
    (await half(passage)).socket?.destroy();
  },
  rubbish: ({ response }: Passage) => {
    response.writeHead(200, json).end('<html>Please log in to this network</html>');
  },
  'access denied': refuse(400, 'AccessDeniedException', 'User: arn:aws:sts::1:assumed-role/x is not authorized'),
  'clock skew': refuse(
    400,
    'InvalidSignatureException',
    'Signature expired: 20200101T000000Z is now earlier than it may be.',
    {
      Date: new Date(Date.now() + 3_600_000).toUTCString(),
    },
  ),
  'lost answer': async ({ response, forward }: Passage) => {
    await forward();
    response.socket?.resetAndDestroy();
  },
} as const satisfies Record<string, (passage: Passage) => void | Promise<void>>;

export type Fault = keyof typeof faults;

export const faultNames = Object.keys(faults) as readonly Fault[];

export interface StoreProxy extends TestServer {
  /** Lets the next so many requests meet a fault, and all that come after them pass. */
  readonly prepare: (fault: Fault, times: number) => void;
  /** Ends what still waits, so that no late attempt of one case meets the next. */
  readonly settle: () => Promise<void>;
}

/** Stands between functions and their store, and lets requests meet faults over real sockets. */
export const startStoreProxy = async (storeEndpoint: string): Promise<StoreProxy> => {
  let [fault, left]: [Fault, number] = ['reset', 0];
  const open = new Set<ServerResponse>();

  const forward = async ({ headers }: IncomingMessage, body: Buffer) => {
    const names = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
    const answer = await fetch(storeEndpoint, {
      method: 'POST',
      headers: names.map((name): [string, string] => [name, String(headers[name])]),
      body: body.toString(),
    });
    return { status: answer.status, text: await answer.text() };
  };

  const server = await serve(async (request, response, body) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    const passage = { response, forward: () => forward(request, body) };
    if (left > 0) {
      left -= 1;
      await faults[fault](passage);
      return;
    }
    const { status, text } = await passage.forward();
    response.writeHead(status, json).end(text);
  });

  return {
    ...server,
    prepare: (next, times) => {
      [fault, left] = [next, times];
    },
    settle: async () => {
      // An error that the SDK does not retry ends what is still under way.
      [fault, left] = ['access denied', Number.POSITIVE_INFINITY];
      for (const response of open) response.socket?.destroy();
      await new Promise((resolve) => setTimeout(resolve, 400));
      left = 0;
    },
  };
};
