import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** How long an answer may take, in milliseconds. */
const patience = 20_000;

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Sends requests over HTTP to one address, byte for byte as given, and counts them. */
export const createClient = (baseUrl: string) => {
  const { hostname, port, host } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  let absences = 0;

  const sendOnce = (whole: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method, path, headers, body } = whole;
      count += 1;
      const sent = request({ agent, hostname, port, method, path, timeout: patience }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
      if (body) sent.setHeader('Content-Length', body.length);
      sent.once('timeout', () => sent.destroy(new Error(`No answer within ${patience} ms`)));
      sent.once('error', (error: NodeJS.ErrnoException) => {
        // A connection that stood idle may be closed at the moment when it is used again: https://nodejs.org/docs/latest-v24.x/api/http.html#requestreusedsocket
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(sendOnce(whole));
        else reject(error);
      });
      sent.end(body);
    });

  /** A busy machine's store can be too slow for once: what reads is sent again when the service says so. */
  const send = async (request: Request): Promise<Answer> => {
    let answer = await sendOnce(request);
    for (let tries = 0; answer.status === 503 && request.method === 'GET' && tries < 3; tries += 1) {
      absences += 1;
      await setTimeout(Number(answer.headers['retry-after']) * 1000);
      answer = await sendOnce(request);
    }
    return answer;
  };

  /** Sends bytes that need not be HTTP. @returns what came back until the connection was closed: nothing, perhaps */
  const sendBytes = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      count += 1;
      const received: Buffer[] = [];
      const socket = connect(Number(port), hostname);
      socket.setTimeout(patience, () => socket.destroy(new Error(`No answer within ${patience} ms`)));
      socket.on('data', (chunk) => received.push(chunk));
      const end = () => resolve(Buffer.concat(received).toString('latin1'));
      // A server that refuses a request may reset the connection behind its answer.
      socket.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? end() : reject(error)));
      socket.once('close', end);
      socket.end(bytes, 'latin1');
    });

  return { host, send, sendBytes, count: () => count, absences: () => absences, close: () => agent.destroy() };
};

export type Client = ReturnType<typeof createClient>;
