import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { serve, type TestServer } from '../support/server.ts';

/** Takes a request, such as `DELETE /api/v1/contact/…`, and may respond in place of the service. */
export type Meddle = (asked: string, response: ServerResponse) => Promise<void> | void;

export interface Front extends TestServer {
  /** The requests so far. */
  readonly asked: string[];
}

const forward = ({ method, headers }: IncomingMessage, path: string, baseUrl: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    // The service makes its links of the header Host, so they lead here again.
    request(new URL(path, baseUrl), { method, headers }, resolve).once('error', reject).end();
  });

/** A gateway in front of the service, with pages of two, where a test can respond in its place. */
export const startFront = async (baseUrl: string, meddle: Meddle = () => {}): Promise<Front> => {
  const asked: string[] = [];
  const server = await serve(async (incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`;
    asked.push(line);
    await meddle(line, outgoing);
    if (outgoing.headersSent || outgoing.destroyed) return;
    const path = String(incoming.url).replace('limit=200', 'limit=2');
    const response = await forward(incoming, path, baseUrl);
    outgoing.writeHead(response.statusCode ?? 0, response.headers);
    response.pipe(outgoing);
  });
  return { asked, ...server };
};
