import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../functions/files/aws-call.ts';
import { filesBucket } from '../../functions/files/file.ts';
import { serve, type TestServer } from './server.ts';

/** An object of the bucket `files`. */
interface StoredObject {
  readonly content: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** Receives files as S3 does, and accepts only calls with a valid signature. */
export interface S3Server extends TestServer {
  /** By their keys. */
  readonly objects: Map<string, StoredObject>;
  /** The scanner's tags, by the keys of objects. */
  readonly scans: Map<string, string>;
  /** How it responds to the next calls instead: by a status, or never. */
  readonly failures: (number | 'hangs')[];
  /** The methods and paths of all calls. */
  readonly calls: string[];
}

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const signer = new SignatureV4({
  credentials,
  region: 'eu-central-1',
  service: 's3',
  sha256: Sha256,
  uriEscapePath: false,
});

const timeOf = (date: string): Date => new Date(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const pick = (headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, String(headers[name])]));

/** Whether the signature of a call, in a header or in its URL, is what the credentials make of it. */
const isSigned = async ({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Promise<boolean> => {
  const { pathname, searchParams } = new URL(url, `http://${headers.host}`);
  const { hostname, port } = new URL(`http://${headers.host}`);
  const query = Object.fromEntries(searchParams);
  const request = { method, protocol: 'http:', hostname, port: Number(port), path: pathname };
  if (searchParams.has('X-Amz-Signature')) {
    const { 'X-Amz-Signature': signature, 'X-Amz-Date': date = '', 'X-Amz-Expires': expires } = query;
    const asked = new HttpRequest({
      ...request,
      headers: { host: String(headers.host), 'X-Amz-Content-Sha256': String(query['X-Amz-Content-Sha256']) },
    });
    const again = await signer.presign(asked, { signingDate: timeOf(date), expiresIn: Number(expires) });
    return again.query?.['X-Amz-Signature'] === signature;
  }
  const [, signed = ''] = /SignedHeaders=([^,]*)/.exec(headers.authorization ?? '') ?? [];
  const asked = new HttpRequest({ ...request, query, headers: pick(headers, signed.split(';')) });
  const again = await signer.sign(asked, { signingDate: timeOf(String(headers['x-amz-date'])) });
  const hash = headers['x-amz-content-sha256'];
  const isContent = hash === 'UNSIGNED-PAYLOAD' || hash === createHash('sha256').update(body).digest('hex');
  return isContent && again.headers['authorization'] === headers.authorization;
};

const tagsOf = (scan: string | undefined): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Tagging><TagSet>${scan === undefined ? '' : `<Tag><Key>${filesBucket.scanTag}</Key><Value>${scan}</Value></Tag>`}</TagSet></Tagging>`;

export const startS3 = async (): Promise<S3Server> => {
  const objects: S3Server['objects'] = new Map();
  const scans: S3Server['scans'] = new Map();
  const failures: S3Server['failures'] = [];
  const calls: string[] = [];
  const respond = async (request: IncomingMessage, body: Buffer): Promise<readonly [number, (string | Buffer)?]> => {
    const { method, url = '', headers } = request;
    const { pathname, search } = new URL(url, 'http://s3');
    calls.push(`${method} ${pathname}`);
    if (!(await isSigned(request, body))) return [403];
    const key = pathname.replace('/files/', '');
    if (method === 'PUT') {
      objects.set(key, { content: body, headers });
      return [200];
    }
    const object = objects.get(key);
    if (!object) return [404];
    return [200, search.startsWith('?tagging') ? tagsOf(scans.get(key)) : object.content];
  };
  const server = await serve(async (request, response, body) => {
    const failure = failures.shift();
    if (failure === 'hangs') return;
    const [status, content] = failure === undefined ? await respond(request, body) : [failure];
    response.writeHead(status).end(content);
  });
  return { ...server, objects, scans, failures, calls };
};
