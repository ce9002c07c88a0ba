import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';

/**
 * The credential and the service that a request is signed for.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html
 */
export const signatureOf = ({ headers: { authorization = '' } }: IncomingMessage) => {
  const scope = /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/[^/,]+\/[^/,]+\/([^/,]+)\//.exec(authorization);
  return { accessKeyId: scope?.[1] ?? '', service: scope?.[2] ?? '' };
};

/**
 * Admits only the functions and the staff command, which have the credential of this start. Refuses web pages, which send an
 * `Origin`, or another `Host` if they made a name resolve to this machine.
 */
export const createGuard = (accessKeyId: string, handle: RequestListener): RequestListener => {
  const expected = Buffer.from(accessKeyId);
  return (request, response) => {
    const given = Buffer.from(signatureOf(request).accessKeyId);
    const { localAddress, localPort } = request.socket;
    const admitted =
      request.headers.origin === undefined &&
      request.headers.host === `${localAddress}:${localPort}` &&
      given.length === expected.length &&
      timingSafeEqual(given, expected);
    if (admitted) return handle(request, response);
    response.writeHead(403, { 'Content-Type': 'application/x-amz-json-1.0', Connection: 'close' });
    response.end('{"__type":"com.amazon.coral.service#UnrecognizedClientException"}');
  };
};
