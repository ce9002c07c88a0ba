import { request } from 'node:http';
import { connect } from 'node:net';

interface ApiResponse {
  readonly status: number;
  /** The values by their names in lower case. Commas join several values of a name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  /** Sent in this case and order. A name may come twice. The default `Host` is the URL's. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer | undefined;
}

/** Sends a request without changes, on a new connection. */
export const send = (url: string, { method = 'GET', headers = [], body }: RequestOptions = {}): Promise<ApiResponse> =>
  new Promise((resolve, reject) => {
    const { host, origin } = new URL(url);
    const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
    const outgoing = request(origin, {
      method,
      path: url.slice(origin.length),
      agent: false,
      headers: [...(headers.some(([name]) => name === 'Host') ? [] : ['Host', host]), ...headers.flat(), ...length],
    });
    outgoing.on('error', reject);
    outgoing.on('response', async (incoming) => {
      const chunks = await incoming.toArray();
      resolve({
        status: incoming.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(incoming.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
        ),
        text: Buffer.concat(chunks).toString(),
      });
    });
    outgoing.end(body);
  });

/** Sends bytes, also malformed HTTP. @returns everything that the server sends until it ends the connection */
export const sendRaw = (url: string, bytes: string, hangUpWhenResponded = false): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += text;
      if (hangUpWhenResponded) socket.end();
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
