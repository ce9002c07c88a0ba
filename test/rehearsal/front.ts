import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import { listen, stop } from '../support/server.ts';

/** How many requests the emulator gets at a time: it is one process, and starts another for each function at work. */
const atOnce = 6;

/**
 * Stands before the emulator as AWS's front end does before API Gateway: it gives an API a host of its own, and tells
 * the function which scheme was asked for.
 * @param stageUrl the stage at the emulator, as in `https://…/restapis/<id>/<stage>/_user_request_`
 * @param use gets the base URL, with the stage as its path
 */
export const withFront = async (
  stageUrl: string,
  stage: string,
  use: (baseUrl: string) => Promise<void>,
): Promise<void> => {
  const { hostname, port, pathname } = new URL(stageUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const server = createServer((incoming, outgoing) => {
    const forwarded = request({
      agent,
      hostname,
      port,
      method: incoming.method,
      path: `${pathname}${incoming.url?.slice(`/${stage}`.length)}`,
      headers: [...incoming.rawHeaders, 'X-Forwarded-Proto', 'http'],
    });
    incoming.pipe(forwarded);
    incoming.on('error', () => forwarded.destroy());
    forwarded.on('error', () => outgoing.destroy());
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
  });
  const url = await listen(server);
  try {
    await use(`${url}/${stage}`);
  } finally {
    agent.destroy();
    await stop(server);
  }
};
