import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Begins to listen on the loopback interface, on a free port unless one is given. @returns the base URL */
export const listen = async (server: Server, port = 0): Promise<string> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return `http://127.0.0.1:${address.port}`;
};

/** Stops a server, even while a client has a connection to it. */
export const stop = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  const closed = once(server, 'close');
  server.close();
  await closed;
};

/** An address of the loopback interface at which nothing responds: for a test of that, or for a program to listen on. */
export const unusedUrl = async (): Promise<string> => {
  const server = createServer();
  const url = await listen(server);
  await stop(server);
  return url;
};

/** A server of a test's own, stopped at the end of the block that started it (`await using`). */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves requests, each with its whole body. */
export const serve = async (
  respond: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
): Promise<TestServer> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => respond(request, response, Buffer.concat(chunks)));
  });
  const url = await listen(server);
  return { url, [Symbol.asyncDispose]: () => stop(server) };
};
