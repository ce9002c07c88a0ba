import { createServer } from 'node:http';
import { listen, stop, type TestServer } from './server.ts';

/** A proxy that only notes which hosts it is asked for. */
export const serveProxy = async (): Promise<TestServer & { readonly asked: readonly string[] }> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    response.writeHead(502).end();
  }).on('connect', ({ url }, socket) => {
    asked.push(String(url));
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const url = await listen(server);
  return { url, asked, [Symbol.asyncDispose]: () => stop(server) };
};
