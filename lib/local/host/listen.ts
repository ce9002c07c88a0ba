import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /**
   * Stops once the requests under way are answered; a connection without one, as browsers keep it, does not count. A request
   * that is still not whole after a second is cut off: its client may never send the rest.
   */
  stop(): Promise<void>;
}

const loopback = { host: '127.0.0.1', besides: '::1' };

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const begin = async (server: NetServer, port: number, host: string): Promise<number> => {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE'
      ? new Error(`Port ${port} of ${host} is taken: choose another (PORT, SITE_PORT)`)
      : error;
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
};

/**
 * Takes the connections of the other loopback address, too: to a browser `localhost` is that one first, and whoever
 * listens there would be taken for this.
 * @returns nothing where there is none
 */
const listenBesides = async (server: Server, port: number): Promise<NetServer | undefined> => {
  const other = createServer((socket) => void server.emit('connection', socket));
  try {
    await begin(other, port, loopback.besides);
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
 * Makes a server listen: on `127.0.0.1` also on `::1`, so that it is all of `localhost`.
 * @param port 0 for any that is free
 * @throws {Error} one line, when the port is taken
 */
export const listen = async (server: Server, port: number, host: string): Promise<Listening> => {
  const underWay = new Set<ServerResponse>();
  server.on('request', (_, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  const given = await begin(server, port, host);
  let other: NetServer | undefined;
  try {
    if (host === loopback.host) other = await listenBesides(server, given);
  } catch (error) {
    await close(server);
    // Of the ports that are free, another may be so on both.
    if (port === 0) return listen(server, port, host);
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
