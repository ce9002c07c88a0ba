import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer, Server as NetServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** A server that listens. */
interface Listening {
  readonly port: number;
  /**
   * Responds to the requests that have arrived, then stops. Does not wait for idle connections, which browsers keep open. Cuts
   * off requests that are still incomplete after a second, and responses whose client has not read them ten seconds later.
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
      ? new Error(
          `Port ${port} of ${host} is taken: write another into .env, as in PORT=3001 (PORT, SITE_PORT or INBOX_PORT, whichever is ${port})`,
        )
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

/** Accepts no more connections. Resolves when the last one has ended. */
const close = async (server: NetServer): Promise<void> => {
  const closed = once(server, 'close');
  // `close` of an HTTP server also destroys connections whose response has been written, but not yet sent.
  NetServer.prototype.close.call(server);
  await closed;
};

/** Node's own, for connections that the system has accepted. */
const backlog = 511;

/**
 * Waits until a server knows the connections that the system has accepted, and their requests, to which clients await responses:
 * Node takes one connection in each turn of its loop. It does not wait for what goes on arriving.
 */
const readArrived = async (server: Server): Promise<void> => {
  let quietTurns = 0;
  const onArrival = () => {
    quietTurns = 0;
  };
  server.on('connection', onArrival).on('request', onArrival);
  for (let turn = 0; turn < 2 * backlog && quietTurns < 5; turn += 1) {
    quietTurns += 1;
    await setImmediate();
  }
  server.off('connection', onArrival).off('request', onArrival);
};

/** How many seconds a client may take to read the rest of a response. */
const secondsToRead = 10;

const loopback = '127.0.0.1';

/** Limits for clients that only hold on to connections. */
const limits = {
  maxConnections: 2_000,
  /** Milliseconds to send a request's head, from the connection on. */
  headersTimeout: 20_000,
  /**
   * Milliseconds between two requests. A proxy must be the one that closes an idle connection, or it may send a request into a
   * closing one: Caddy waits for 2 minutes, nginx for one.
   */
  keepAliveTimeout: 150_000,
} as const;

const limit = (server: Server): void => {
  Object.assign(server, limits);
  // Whoever has a request comes before those who have none.
  server.on('drop', () => server.closeIdleConnections());
};

/**
 * Makes a server listen on an address. The default means `127.0.0.1` and `::1`, so that it has all of `localhost`.
 * @param port 0 for any free one
 * @throws {Error} one line if the port is taken
 */
export const listen = async (server: Server, port: number, host = loopback): Promise<Listening> => {
  /** The open responses, and for how many seconds of the stop each has waited for its client. */
  const underWay = new Map<ServerResponse, number>();
  server.on('request', (_, response) => {
    underWay.set(response, 0);
    response.once('close', () => underWay.delete(response));
  });
  limit(server);
  const given = await begin(server, port, host);
  let other: NetServer | undefined;
  try {
    if (host === loopback) other = await listenBesides(server, given);
  } catch (error) {
    await close(server);
    // Another port may be free on both addresses.
    if (port === 0) return listen(server, port);
    throw error;
  }
  return {
    port: given,
    stop: async () => {
      const servers = other ? [server, other] : [server];
      const cutOff = setInterval(() => {
        for (const [response, seconds] of underWay) {
          if (!response.req.complete || seconds === secondsToRead) response.req.socket.destroy();
          else if (response.writableEnded) underWay.set(response, seconds + 1);
        }
      }, 1000);
      await readArrived(server);
      const closed = servers.map(close);
      do {
        await Promise.all([...underWay.keys()].map((response) => once(response, 'close')));
        await readArrived(server);
      } while (underWay.size > 0);
      clearInterval(cutOff);
      server.closeAllConnections();
      await Promise.all(closed);
    },
  };
};
