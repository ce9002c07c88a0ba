import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { contactPath, send } from './client.ts';
import { expectDocumented } from './documented.ts';
import { type ApiResponse, toResponse, untilAdmitted } from './http.ts';
import { target } from './target.ts';

const url = new URL(target.baseUrl);

const toHeaders = (headers: IncomingHttpHeaders): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      name.startsWith(':') || value === undefined ? [] : [[name, String(value)]],
    ),
  );

const overHttp2 = (path: string, headers: Readonly<Record<string, string>>, body: string): Promise<ApiResponse> =>
  new Promise<ApiResponse>((resolve, reject) => {
    const session = connect(url.origin).on('error', reject);
    const stream = session.request({ ...headers, ':method': 'POST', ':path': url.pathname.replace(/\/$/, '') + path });
    const chunks: Buffer[] = [];
    let head: IncomingHttpHeaders & IncomingHttpStatusHeader = {};
    stream.on('response', (received) => {
      head = received;
    });
    stream.on('data', (chunk) => chunks.push(chunk));
    // A server can respond and reset the stream while the rest of a body is still being sent.
    stream.on('error', (error) => {
      if (head[':status'] === undefined) reject(error);
    });
    stream.on('close', () => {
      session.destroy();
      resolve(toResponse(head[':status'] ?? 0, toHeaders(head), String(Buffer.concat(chunks))));
    });
    stream.end(body);
  });

/**
 * Posts as a page of the site does: with TLS over HTTP/2, as browsers do with API Gateway. HTTP/2 has header names in lower
 * case.
 */
export const postAsPage = async (body: string, path = contactPath): Promise<ApiResponse> => {
  const headers = { origin: target.siteOrigin, 'content-type': 'application/json' };
  if (url.protocol !== 'https:') return send(path, { method: 'POST', headers, body });
  const response = await untilAdmitted(() => overHttp2(path, headers, body));
  expectDocumented('POST', path, response);
  return response;
};
