import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import { listen, stop } from '../support/server.ts';

/** Requests at a time: the emulator is one process, and starts another for each function at work. */
const atOnce = 6;

/**
 * Stands before the emulator as AWS's front end does before API Gateway: it gives an API a host of its own.
 * @param url the API's stage on AWS: https://<id>.execute-api.<region>.amazonaws.com/<stage>
 * @param use gets the base URL, with the stage as its path
 */
export const withFront = async <Result>(
  endpoint: string,
  url: string,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> => {
  const { hostname: apiHost, pathname: stage } = new URL(url);
  const { hostname, port } = new URL(endpoint);
  const stageAtEmulator = `/restapis/${apiHost.split('.')[0]}${stage}/_user_request_`;
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const server = createServer((incoming, outgoing) => {
    const forwarded = request({
      agent,
      hostname,
      port,
      // The certificate is the emulator's, whatever the host.
      servername: '',
      method: incoming.method,
      path: `${stageAtEmulator}${incoming.url?.slice(stage.length)}`,
      // The function builds its absolute URLs with this scheme.
      headers: [...incoming.rawHeaders, 'X-Forwarded-Proto', 'http'],
    });
    incoming.pipe(forwarded);
    incoming.on('error', () => forwarded.destroy());
    forwarded.on('error', () => outgoing.destroy());
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
  });
  try {
    return await use(`${await listen(server)}${stage}`);
  } finally {
    agent.destroy();
    await stop(server);
  }
};
