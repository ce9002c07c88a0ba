import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expectDocumented } from './documented.ts';
import { type Answer, toAnswer, untilAdmitted } from './http.ts';
import { target } from './target.ts';

/** How long an answer may take, in milliseconds. */
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

const parseAnswer = (bytes: Buffer): Answer => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})\b/.exec(statusLine)?.[1]);
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const body = bytes.subarray(headEnd + 4);
  return toAnswer(status, headers, String(headers.get('transfer-encoding') === 'chunked' ? readChunks(body) : body));
};

/** Writes bytes to the target and gives what came until it closed the connection: nothing, perhaps. */
const exchange = (request: string, closeAfterwards: boolean): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(target.baseUrl);
    const secure = protocol === 'https:';
    const address = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 443 : 80) };
    const socket = secure ? connectTls({ ...address, servername: hostname }) : connectTcp(address);
    const received: Buffer[] = [];
    socket.setTimeout(patience, () => socket.destroy(new Error(`No answer within ${patience} ms`)));
    socket.on('data', (bytes) => received.push(bytes));
    // A server that refuses a request may reset the connection behind its answer, while the rest is still being sent.
    socket.on('error', (error) => (received.length > 0 ? resolve(Buffer.concat(received)) : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(received)));
    socket.write(request, 'latin1');
    if (closeAfterwards) socket.end();
  });

/** What stands before every path, such as the stage. */
const basePath = new URL(target.baseUrl).pathname.replace(/\/$/, '');

/** The first lines of a request that asks for the connection to be closed behind the answer. */
export const requestHead = (method: string, path: string, ...headers: string[]): string =>
  [
    `${method} ${basePath}${path} HTTP/1.1`,
    `Host: ${new URL(target.baseUrl).host}`,
    'Connection: close',
    ...headers,
    '\r\n',
  ].join('\r\n');

/** Sends what may be no request at all, byte for byte. The document has nothing of such. */
export const sendMalformed = (request: string): Promise<Answer> =>
  untilAdmitted(async () => parseAnswer(await exchange(request, false)));

/** Sends a request byte for byte, as `fetch` would not. */
export const sendRaw = async (request: string): Promise<Answer> => {
  const answer = await sendMalformed(request);
  const [method = '', path = ''] = request.split(' ', 2);
  expectDocumented(method, path.slice(basePath.length), answer);
  return answer;
};

/** Sends the beginning of a request and closes the connection. */
export const sendCutShort = async (request: string): Promise<void> => {
  await exchange(request, true);
};
