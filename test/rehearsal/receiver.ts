import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listen, stop } from '../support/server.ts';

/** What someone posted. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Receives webhooks on a port of this machine. */
export interface Receiver {
  readonly url: string;
  /** The status that it answers with. */
  status: number;
  /** All that came, the newest last. */
  readonly received: readonly Received[];
}

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Starts a receiver, for as long as it is used. @param certificate makes it speak HTTPS */
export const withReceiver = async (
  use: (receiver: Receiver) => Promise<void>,
  certificate?: Certificate,
): Promise<void> => {
  const received: Received[] = [];
  const take: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(receiver.status).end();
    });
  };
  const server = certificate ? createTlsServer(certificate, take) : createServer(take);
  const url = await listen(server);
  const receiver: Receiver = { url: certificate ? url.replace(/^http:/, 'https:') : url, status: 204, received };
  try {
    await use(receiver);
  } finally {
    await stop(server);
  }
};
