import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../../../lib/local/host/listen.ts';

/** A server at which a handler waits until the test lets it go on. */
export const createGate = async () => {
  const server = createServer((_, response) => {
    waiting.push(response);
    server.emit('arrival');
  });
  const waiting: ServerResponse[] = [];
  const { port, stop } = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}/`,
    /** Resolves when so many have come and not gone on. */
    reached: async (count = 1): Promise<void> => {
      while (waiting.length < count) await once(server, 'arrival');
    },
    count: (): number => waiting.length,
    open: (): void => {
      for (const response of waiting.splice(0)) response.end();
    },
    close: stop,
  };
};
