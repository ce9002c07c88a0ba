import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from './server.ts';

export interface Received {
  readonly method: string | undefined;
  /** The path with the query. */
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The signed text. */
  readonly body: string;
}

export interface Receiver extends TestServer {
  readonly received: readonly Received[];
}

/** Receives webhooks. */
export const startReceiver = async (
  respond: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.writeHead(204).end(),
): Promise<Receiver> => {
  const received: Received[] = [];
  const server = await serve((request, response, body) => {
    received.push({ method: request.method, path: request.url, headers: request.headers, body: body.toString() });
    respond(response, request);
  });
  return { ...server, received };
};
