import type { IncomingMessage, RequestListener } from 'node:http';
import { type Credentials, createSigner, createVerifier, type Signature, type SignedRequest } from './signature.ts';
import { region } from './template/intrinsics.ts';

const form =
  /^AWS4-HMAC-SHA256 Credential=(?<accessKeyId>[^/,]+)\/(?<day>\d{8})\/(?<region>[^/,]+)\/(?<service>[^/,]+)\/aws4_request, SignedHeaders=(?<names>[^,]+), Signature=(?<signature>[\da-f]{64})$/;

/**
 * The signature in the headers of a request.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html
 */
const signatureOf = ({ headers }: IncomingMessage) => {
  const { names = '', ...scope } = form.exec(headers.authorization ?? '')?.groups ?? {};
  const { accessKeyId = '', day = '', region = '', service = '', signature = '' } = scope;
  const given: Signature = { accessKeyId, day, region, service, signature, date: String(headers['x-amz-date']) };
  return { given, names: names.split(';') };
};

/** The service that a request is signed for. */
export const serviceOf = (request: IncomingMessage): string => signatureOf(request).given.service;

/** The hash of the body is what the request says: nobody is between the host and its own clients. */
const signedPart = ({ method = '', url = '', headers }: IncomingMessage, names: readonly string[]): SignedRequest => {
  const [path = '', ...query] = url.split('?');
  return {
    method,
    path,
    query: new URLSearchParams(query.join('?')),
    headers: names.map((name) => [name, String(headers[name])]),
    payloadHash: String(headers['x-amz-content-sha256']),
  };
};

/** The headers of a GET without parameters. The guard does not mind their age. */
export const signedHeaders = (url: string, service: string, credentials: Credentials): Record<string, string> => {
  const scope = { day: '20000101', date: '20000101T000000Z', region, service };
  const { host, pathname: path } = new URL(url);
  const request = { method: 'GET', path, query: [], headers: [['host', host] as const], payloadHash: 'none' };
  const credential = [credentials.accessKeyId, scope.day, region, service, 'aws4_request'].join('/');
  const signature = createSigner(credentials)(request, scope);
  return {
    Authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=${signature}`,
    'X-Amz-Content-Sha256': request.payloadHash,
    'X-Amz-Date': scope.date,
  };
};

/**
 * Admits only the functions and the staff command, which have the credentials of this start. Refuses web pages, which send an
 * `Origin`, or another `Host` if they made a name resolve to this machine.
 */
export const createGuard = (credentials: Credentials, handle: RequestListener): RequestListener => {
  const verify = createVerifier(credentials);
  return (request, response) => {
    const { localAddress, localPort } = request.socket;
    const { given, names } = signatureOf(request);
    const admitted =
      request.headers.origin === undefined &&
      request.headers.host === `${localAddress}:${localPort}` &&
      names.includes('host') &&
      verify(signedPart(request, names), given);
    if (admitted) return handle(request, response);
    response.writeHead(403, { 'Content-Type': 'application/x-amz-json-1.0', Connection: 'close' });
    response.end('{"__type":"com.amazon.coral.service#UnrecognizedClientException"}');
  };
};
