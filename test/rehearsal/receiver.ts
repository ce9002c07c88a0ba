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

/** Receives webhooks over TLS, on a port of this machine. */
export interface Receiver {
  readonly url: string;
  /** The status of its responses on `/signed`. */
  status: number;
  /** The newest last. */
  readonly received: readonly Received[];
}

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Runs a receiver for as long as it is used. */
export const withReceiver = async (
  certificate: Certificate,
  use: (receiver: Receiver) => Promise<void>,
): Promise<void> => {
  const received: Received[] = [];
  const server = createServer(certificate, async (request, response) => {
    const { url = '', headers } = request;
    const { pathname: path } = new URL(url, 'https://localhost');
    received.push({ path, headers, body: await text(request) });
    response.writeHead(path === '/signed' ? receiver.status : 204).end();
  });
  const url = (await listen(server)).replace('http:', 'https:');
  const receiver: Receiver = { url, status: 204, received };
  try {
    await use(receiver);
  } finally {
    await stop(server);
  }
};
