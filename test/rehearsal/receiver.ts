import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { listen, stop } from '../support/server.ts';

/** What somebody posted. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** When it was all there, as `performance.now()` has it. */
  readonly at: number;
}

/** Receives what is told by POST on a port of this machine, and can be away. */
export interface Receiver {
  readonly url: string;
  /** The status that it answers with. */
  status: number;
  /** All that came, the last at the end. */
  readonly received: readonly Received[];
  /** Refuses connections. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Starts a receiver, for as long as it is used. */
export const withReceiver = async (use: (receiver: Receiver) => Promise<void>): Promise<void> => {
  const received: Received[] = [];
  const open = (): Server =>
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
        response.writeHead(receiver.status).end();
      });
    });
  let server = open();
  const url = await listen(server);
  const receiver: Receiver = {
    url,
    status: 204,
    received,
    leave: () => stop(server),
    comeBack: async () => {
      server = open();
      server.listen(Number(new URL(url).port), '127.0.0.1');
      await once(server, 'listening');
    },
  };
  try {
    await use(receiver);
  } finally {
    if (server.listening) await stop(server);
  }
};
