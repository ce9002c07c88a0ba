import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expectDocumented } from './documented.ts';
import { type ApiResponse, toResponse, untilAdmitted } from './http.ts';
import { target } from './target.ts';

/** Milliseconds to wait for a response. */
const patience = 15_000;

const readChunks = (body: Buffer): Buffer => {
  const chunks: Buffer[] = [];
  for (let rest = body; ; ) {
    const lineEnd = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.toString('latin1', 0, lineEnd), 16);
    if (lineEnd === -1 || !(size > 0)) return Buffer.concat(chunks);
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    rest = rest.subarray(lineEnd + 4 + size);
  }
};

const parseResponse = (bytes: Buffer): ApiResponse => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})\b/.exec(statusLine)?.[1]);
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const body = bytes.subarray(headEnd + 4);
  return toResponse(status, headers, String(headers.get('transfer-encoding') === 'chunked' ? readChunks(body) : body));
};

/** Writes bytes to the target. @returns everything that came until it closed the connection */
const exchange = (request: string, closeAfterwards: boolean): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(target.baseUrl);
    const secure = protocol === 'https:';
    const address = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 443 : 80) };
    const socket = secure ? connectTls({ ...address, servername: hostname }) : connectTcp(address);
    const received: Buffer[] = [];
    socket.setTimeout(patience, () => socket.destroy(new Error(`No response within ${patience} ms`)));
    socket.on('data', (bytes) => received.push(bytes));
    // A server can respond and reset the connection while the rest of a request is still being sent.
    socket.on('error', (error) => (received.length > 0 ? resolve(Buffer.concat(received)) : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(received)));
    socket.write(request, 'latin1');
    if (closeAfterwards) socket.end();
  });

/** The path of the base URL, such as the stage. */
const basePath = new URL(target.baseUrl).pathname.replace(/\/$/, '');

/** The head of a request with `Connection: close`. */
export const requestHead = (method: string, path: string, ...headers: string[]): string =>
  [
    `${method} ${basePath}${path} HTTP/1.1`,
    `Host: ${new URL(target.baseUrl).host}`,
    'Connection: close',
    ...headers,
    '\r\n',
  ].join('\r\n');

/** Sends bytes that can be malformed. openapi.yaml does not cover them. */
export const sendMalformed = (request: string): Promise<ApiResponse> =>
  untilAdmitted(async () => parseResponse(await exchange(request, false)));

/** Sends a request byte by byte, as `fetch` cannot. */
export const sendRaw = async (request: string): Promise<ApiResponse> => {
  const response = await sendMalformed(request);
  const [method = '', path = ''] = request.split(' ', 2);
  expectDocumented(method, path.slice(basePath.length), response);
  return response;
};

/** Sends the beginning of a request and closes the connection. */
export const sendCutShort = async (request: string): Promise<void> => {
  await exchange(request, true);
};
