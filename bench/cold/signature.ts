import { createHash, createHmac } from 'node:crypto';

/** A request to sign, its header names in lower case. */
export interface RequestToSign {
  readonly method: string;
  readonly path: string;
  /** Those to sign, among them `host` and `x-amz-date`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/**
 * Signature Version 4 of a request to DynamoDB: the value of its header `Authorization`.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const authorizationOf = (
  { method, path, headers, body }: RequestToSign,
  region: string,
  accessKey: string,
  secret: string,
): string => {
  const names = Object.keys(headers).sort();
  const signed = names.join(';');
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join('');
  const canonical = [method, path, '', lines, signed, sha256(body)].join('\n');
  const time = headers['x-amz-date'] ?? '';
  const scope = [time.slice(0, 8), region, 'dynamodb', 'aws4_request'];
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secret}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n'));
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope.join('/')}, SignedHeaders=${signed}, Signature=${signature.toString('hex')}`;
};
