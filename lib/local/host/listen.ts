import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Stops once the requests under way are answered; a connection without one, as browsers keep it, does not count. */
  stop(): Promise<void>;
}

/**
 * Makes a server listen.
 * @param port 0 for any that is free
 * @throws {Error} one line, when the port is taken
 */
export const listen = (server: Server, port: number, host: string): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const underWay = new Set<ServerResponse>();
    server.on('request', (_, response) => {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
    });
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} of ${host} is taken: choose another`) : error),
    );
    const stop = async () => {
      const closed = once(server, 'close');
      server.close();
      while (underWay.size > 0) await Promise.all([...underWay].map((response) => once(response, 'close')));
      server.closeAllConnections();
      await closed;
    };
    server.listen(port, host, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address ? address.port : port, stop });
    });
  });
