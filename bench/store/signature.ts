import { createHash, createHmac } from 'node:crypto';

/** The store knows no others. The session token is about as long as Lambda's. */
export const credentials = {
  region: 'eu-central-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: 'IQoJb3JpZ2luX2VjEXAMPLE='.repeat(40),
};

/** A POST to DynamoDB to sign. */
export interface RequestToSign {
  /** The headers to sign, in lower case, with `host` and `x-amz-date`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/**
 * The header `Authorization`: Signature Version 4.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const authorizationOf = (
  { headers, body }: RequestToSign,
  region: string,
  accessKey: string,
  secret: string,
): string => {
  const names = Object.keys(headers).sort();
  const signed = names.join(';');
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join('');
  const canonical = ['POST', '/', '', lines, signed, sha256(body)].join('\n');
  const time = headers['x-amz-date'] ?? '';
  const scope = [time.slice(0, 8), region, 'dynamodb', 'aws4_request'];
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secret}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n'));
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope.join('/')}, SignedHeaders=${signed}, Signature=${signature.toString('hex')}`;
};
