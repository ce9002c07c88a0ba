import { type RequestOptions, request } from 'node:http';
import { region } from '../template/intrinsics.ts';

/** Sends to a server of this machine, and never through a proxy: Node's global agent may have one, a new one has not. */
const post = (url: string, options: Pick<RequestOptions, 'headers' | 'signal'>, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent: false, ...options });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      incoming.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
    });
    outgoing.end(body);
  });

/** A store, and the credential that it answers. */
export interface StoreAddress {
  readonly endpoint: string;
  /** Made anew with each start; any secret goes with it, since the store checks no signature. */
  readonly accessKeyId: string;
}

/** Calls the store, without the SDK's client, which takes longer to load than all tables take to be made. */
export const callStore = async (
  { endpoint, accessKeyId }: StoreAddress,
  operation: string,
  input: object,
  signal?: AbortSignal,
): Promise<unknown> => {
  const headers = {
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20000101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=local`,
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Date': '20000101T000000Z',
    'X-Amz-Target': `DynamoDB_20120810.${operation}`,
  };
  return JSON.parse(await post(endpoint, { headers, ...(signal && { signal }) }, JSON.stringify(input)));
};
