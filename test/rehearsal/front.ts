import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import { listen, stop } from '../support/server.ts';

/** How many requests the emulator gets at a time: it is one process, and starts another for each function at work. */
const atOnce = 6;

/** How a request goes on to the emulator. */
interface Way {
  /** The emulator's. */
  readonly origin: URL;
  pathOf(asked: string): string;
  /** Asked for in the place of the front's own. */
  readonly host?: string;
}

/** Runs a server before the emulator that tells the function which scheme was asked for. */
const serve = async <Result>({ origin, pathOf, host }: Way, use: (url: string) => Promise<Result>): Promise<Result> => {
  const { hostname, port } = origin;
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const server = createServer((incoming, outgoing) => {
    const { rawHeaders } = incoming;
    const isHost = (_: string, at: number) => rawHeaders[at - (at % 2)]?.toLowerCase() === 'host';
    const headers = host ? [...rawHeaders.filter((each, at) => !isHost(each, at)), 'Host', host] : rawHeaders;
    const forwarded = request({
      agent,
      hostname,
      port,
      // The certificate is the emulator's, whatever the host.
      servername: '',
      method: incoming.method,
      path: pathOf(incoming.url ?? '/'),
      headers: [...headers, 'X-Forwarded-Proto', 'http'],
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
    return await use(url);
  } finally {
    agent.destroy();
    await stop(server);
  }
};

/**
 * Stands before the emulator as AWS's front end does before API Gateway: it gives an API a host of its own.
 * @param stageUrl the stage at the emulator, as in `https://…/restapis/<id>/<stage>/_user_request_`
 * @param use gets the base URL, with the stage as its path
 */
export const withFront = <Result>(
  stageUrl: string,
  stage: string,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> => {
  const origin = new URL(stageUrl);
  const pathOf = (asked: string) => `${origin.pathname}${asked.slice(`/${stage}`.length)}`;
  return serve({ origin, pathOf }, (url) => use(`${url}/${stage}`));
};

/**
 * Asks for a name of one's own, as a browser does for which DNS has found the way to API Gateway.
 * @param use gets the base URL
 */
export const withName = (endpoint: string, name: string, use: (baseUrl: string) => Promise<void>): Promise<void> =>
  serve({ origin: new URL(endpoint), pathOf: (asked) => asked, host: name }, use);
