import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Duplex, finished } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import type { RestApi } from '../template/rest-api.ts';
import type { Respond } from './gateway.ts';
import { GatewayError, renderGatewayError } from './gateway-error.ts';
import type { Exchange, Header, HttpRequest, HttpResponse } from './http-message.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html */
const maxBodyBytes = 10 * 1024 * 1024;
/** The request line and the header values together. */
const maxHeadBytes = 10_240;

/** Requests that wait for their responses at once. Above, they get 429, as above the concurrency of an AWS account. */
const maxUnderWay = 1_000;

/** What large bodies may take of the memory at once, in bytes: 20 uploads have room. And from which size on a body is large. */
const maxLargeBodies = 100 * 1024 * 1024;
const largeBody = 64 * 1024;

/** How long to read on after a refusal. Without this, the client could not read the response. */
const lingerMilliseconds = 1000;

const headersOf = ({ rawHeaders }: IncomingMessage): Header[] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ]);

/** @param take called with the size so far; it throws if there is no room */
const readBody = async (message: IncomingMessage, take: (size: number) => void): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(message.headers['content-length'] ?? 0) > maxBodyBytes) throw new GatewayError('REQUEST_TOO_LARGE');
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBodyBytes) throw new GatewayError('REQUEST_TOO_LARGE');
    take(size);
  }
  return Buffer.concat(chunks);
};

type RequestHead = Omit<HttpRequest, 'body'>;

/** Whether the web ACL admits a request. It is asked once for each, before the body. */
export type Admits = (message: IncomingMessage, head: Pick<HttpRequest, 'httpMethod' | 'path'>) => boolean;

const readHead = (message: IncomingMessage): RequestHead => {
  const { method: httpMethod = '', url = '' } = message;
  const [path, ...query] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return {
    id: randomUUID(),
    httpMethod,
    path: path || '/',
    // URLSearchParams removes one leading question mark.
    query: new URLSearchParams(`?${query.join('?')}`),
    headers: headersOf(message),
  };
};

const readRequest = async (
  message: IncomingMessage,
  head: RequestHead,
  take: (size: number) => void,
): Promise<HttpRequest> => {
  const { method, url, httpVersion } = message;
  const text = [`${method} ${url} HTTP/${httpVersion}`, ...head.headers.map(([, value]) => value)].join('');
  if (Buffer.byteLength(text, 'latin1') > maxHeadBytes) throw new GatewayError('REQUEST_TOO_LARGE');
  if (httpVersion === '1.1' && message.headers.host === undefined) throw new GatewayError('DEFAULT_4XX');
  return { ...head, body: await readBody(message, take) };
};

/**
 * The HTTP server of the gateway. It reads requests within API Gateway's limits. All its errors, also those about malformed
 * HTTP, have the form of the template's gateway responses.
 */
export const createGatewayServer = (
  respond: Respond,
  gatewayResponses: RestApi['gatewayResponses'],
  clock: Clock,
  log: Log,
  observe: (exchange: Exchange) => void = () => {},
  admits: Admits = () => true,
): Server => {
  const render = (error: unknown): HttpResponse => {
    if (error instanceof GatewayError) return renderGatewayError(error, gatewayResponses);
    log('gateway', String(error instanceof Error ? error.stack : error));
    return renderGatewayError(new GatewayError('DEFAULT_5XX'), gatewayResponses);
  };

  /** The last request of each connection, with its response. Responses keep the order of the requests. */
  const exchanges = new WeakMap<Duplex, { readonly message: IncomingMessage; readonly outgoing: ServerResponse }>();

  /** Begins a response. @returns its body */
  const begin = (outgoing: ServerResponse, id: string, response: HttpResponse, keepAlive: boolean): Buffer => {
    const { statusCode, headers } = response;
    const hasBody = statusCode !== 204;
    const body = Buffer.isBuffer(response.body) ? response.body : Buffer.from(hasBody ? response.body : '');
    outgoing.writeHead(statusCode, [
      ...headers.flat(),
      'x-amz-apigw-id',
      id,
      ...(hasBody ? ['Content-Length', String(body.length)] : []),
      ...(keepAlive ? [] : ['Connection', 'close']),
    ]);
    return body;
  };

  const send = (message: IncomingMessage, outgoing: ServerResponse, id: string, response: HttpResponse) => {
    const body = begin(outgoing, id, response, server.listening && message.complete);
    if (message.complete) {
      outgoing.end(body);
      return;
    }
    outgoing.write(body);
    const cancel = clock.after(lingerMilliseconds, () => outgoing.end());
    finished(message.resume(), () => {
      cancel();
      outgoing.end();
    });
  };

  let underWay = 0;
  /** The bytes of large bodies, which are in the memory until their response. */
  let largeBodies = 0;

  const handle = async (message: IncomingMessage, outgoing: ServerResponse) => {
    exchanges.set(message.socket, { message, outgoing });
    const startedAt = clock.now();
    const head = readHead(message);
    const finish = (response: HttpResponse, isGatewayError: boolean) => {
      send(message, outgoing, head.id, response);
      observe({ request: head, response, isGatewayError, milliseconds: clock.now() - startedAt });
    };
    let taken = 0;
    const take = (size: number) => {
      if (size <= largeBody) return;
      if (largeBodies - taken + size > maxLargeBodies) throw new GatewayError('THROTTLED');
      largeBodies += size - taken;
      taken = size;
    };
    underWay += 1;
    // Not when the work has ended: Node does not end the body of a client that hangs up in the middle of it.
    outgoing.once('close', () => {
      underWay -= 1;
      largeBodies -= taken;
    });
    try {
      if (!admits(message, head)) throw new GatewayError('WAF_FILTERED');
      if (underWay > maxUnderWay) throw new GatewayError('THROTTLED');
      finish(await respond(await readRequest(message, head, take)), false);
    } catch (error) {
      // A client that hung up gets no response.
      if (!message.errored) finish(render(error), true);
    }
  };

  /** Responds to malformed HTTP, and ends the connection. */
  const refuse = (socket: Duplex, error: GatewayError) => {
    if (!socket.writable) return;
    const { statusCode, headers, body } = render(error);
    const head = [
      `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      `x-amz-apigw-id: ${randomUUID()}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };

  const server = createServer({ requireHostHeader: false }, handle);
  server.on('checkExpectation', (message, response) => server.emit('request', message, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return socket.destroy();
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const refusal = new GatewayError(tooLarge ? 'REQUEST_TOO_LARGE' : 'DEFAULT_4XX');
    const { message, outgoing } = exchanges.get(socket) ?? {};
    if (!message || !outgoing || outgoing.writableFinished) return refuse(socket, refusal);
    // Malformed bytes after a complete request: its response goes first.
    if (message.complete) return outgoing.once('close', () => refuse(socket, refusal));
    // An incomplete request that got a response gets no second one.
    if (outgoing.headersSent) return outgoing.end();
    return outgoing.end(begin(outgoing, randomUUID(), render(refusal), false));
  });
  return server;
};
