import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';

/**
 * What a request is signed for: the credential, and the service that it is meant for.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html
 */
export const signatureOf = ({ headers: { authorization = '' } }: IncomingMessage) => {
  const scope = /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/[^/,]+\/[^/,]+\/([^/,]+)\//.exec(authorization);
  return { accessKeyId: scope?.[1] ?? '', service: scope?.[2] ?? '' };
};

/**
 * Lets through who has the credential of this start: the functions and the staff command. A web page that is open on the
 * machine sends an `Origin`, or, by a name that it has pointed here, another `Host`; neither page nor other user has
 * the credential.
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
