import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { listen } from '../../../lib/local/host/listen.ts';

/** What a webhook's receiver got. */
export interface Arrival {
  readonly headers: IncomingHttpHeaders;
  /** As it came: what is signed. */
  readonly body: string;
  readonly message: string | undefined;
  readonly type: string;
}

/** The receiver of a webhook, on a port that stays its own while it is away. */
export const createReceiver = async () => {
  const arrivals: Arrival[] = [];
  let status = 200;
  const open = (port: number) =>
    listen(
      createServer(async (request, response) => {
        const body = await text(request);
        const { type, data } = JSON.parse(body);
        arrivals.push({ headers: request.headers, body, message: data.message, type });
        response.writeHead(status).end();
      }),
      port,
      '127.0.0.1',
    );
  let listening = await open(0);
  const { port } = listening;
  return {
    url: `http://127.0.0.1:${port}/contact`,
    arrivals,
    /** What has arrived of these messages, once there is something of each. */
    arrived: async (...messages: readonly string[]): Promise<Arrival[]> => {
      const found = () => messages.map((each) => arrivals.find(({ message }) => message === each));
      await expect.poll(() => found().every((arrival) => arrival)).toBe(true);
      return found().flatMap((arrival) => arrival ?? []);
    },
    /** From now on answers with this status. */
    answerWith: (given: number) => {
      status = given;
    },
    goAway: () => listening.stop(),
    comeBack: async () => {
      listening = await open(port);
    },
  };
};

export type Receiver = Awaited<ReturnType<typeof createReceiver>>;
