import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /**
   * Answers the open requests, then stops. Does not wait for idle connections, which browsers keep open. Cuts off requests
   * that are still incomplete after a second.
   */
  stop(): Promise<void>;
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const begin = async (server: NetServer, port: number, host: string): Promise<number> => {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE'
      ? new Error(`Port ${port} of ${host} is taken: choose another (PORT, SITE_PORT, INBOX_PORT)`)
      : error;
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
};

/**
 * Listens on the other loopback address too. Browsers try it first for `localhost`, and would reach another server there.
 * @returns nothing on a machine without IPv6
 */
const listenBesides = async (server: Server, port: number): Promise<NetServer | undefined> => {
  const other = createServer((socket) => void server.emit('connection', socket));
  try {
    await begin(other, port, '::1');
    return other;
  } catch (error) {
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(String(codeOf(error)))) return undefined;
    throw error;
  }
};

const close = async (server: NetServer): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  await closed;
};

/**
 * Makes a server listen on `127.0.0.1` and `::1`, so that it has all of `localhost`.
 * @param port 0 for any free one
 * @throws {Error} one line if the port is taken
 */
export const listen = async (server: Server, port: number): Promise<Listening> => {
  const underWay = new Set<ServerResponse>();
  server.on('request', (_, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  const given = await begin(server, port, '127.0.0.1');
  let other: NetServer | undefined;
  try {
    other = await listenBesides(server, given);
  } catch (error) {
    await close(server);
    // Another port may be free on both addresses.
    if (port === 0) return listen(server, port);
    throw error;
  }
  return {
    port: given,
    stop: async () => {
      const closed = [server, ...(other ? [other] : [])].map(close);
      const cutOff = setInterval(() => {
        for (const { req } of underWay) if (!req.complete) req.socket.destroy();
      }, 1000);
      while (underWay.size > 0) await Promise.all([...underWay].map((response) => once(response, 'close')));
      clearInterval(cutOff);
      server.closeAllConnections();
      await Promise.all(closed);
    },
  };
};
