import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { listen, stop } from '../support/server.ts';

/** A request that arrived. */
export interface Received {
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Receives webhooks over TLS. */
export interface Receiver {
  readonly url: string;
  /** Sets the status of its responses on `/signed`, which is 204 at first. Elsewhere it is always 204. */
  respondWith(status: number): Promise<void>;
  /** The newest last. */
  received(): Promise<readonly Received[]>;
}

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Runs a receiver on a port of this machine for as long as it is used. */
export const withReceiver = async (
  certificate: Certificate,
  use: (receiver: Receiver) => Promise<void>,
): Promise<void> => {
  const received: Received[] = [];
  let signedStatus = 204;
  const server = createServer(certificate, async (request, response) => {
    const { url = '', headers } = request;
    const { pathname: path } = new URL(url, 'https://localhost');
    received.push({ path, headers, body: await text(request) });
    response.writeHead(path === '/signed' ? signedStatus : 204).end();
  });
  const url = (await listen(server)).replace('http:', 'https:');
  const receiver: Receiver = {
    url,
    respondWith: async (status) => {
      signedStatus = status;
    },
    received: async () => received,
  };
  try {
    await use(receiver);
  } finally {
    await stop(server);
  }
};
