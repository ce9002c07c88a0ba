import { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';
import { makeClient } from './aws.ts';
import { requestText } from './network.ts';

/** Milliseconds for AWS to respond. */
const timeout = 10_000;

interface SignedRequest {
  /** The service as in signatures. */
  readonly service: string;
  readonly region: string;
  /** The service's endpoint. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = v.pipe(v.string(), v.parseJson());

/** Services differ in where they name an error, but each has one of these. */
const awsError = v.union([
  v.object({ __type: v.string(), message: v.optional(v.string(), '') }),
  v.pipe(
    v.object({ Message: v.string() }),
    v.transform(({ Message: message }) => ({ __type: 'Error', message })),
  ),
  v.pipe(
    v.object({ message: v.string() }),
    v.transform(({ message }) => ({ __type: 'Error', message })),
  ),
]);

/**
 * Asks a service of AWS for JSON. It signs by itself: a package of the SDK for one request would be one more to install.
 * @throws AWS's errors by their names
 */
export const requestSigned = async <Output>(
  { service, region, url: endpoint, method, path, headers, body = '' }: SignedRequest,
  output: v.GenericSchema<unknown, Output>,
  now: Date,
): Promise<Output> => {
  const sts = makeClient(STSClient, { region });
  try {
    const { credentials, sha256 } = sts.config;
    const signer = new SignatureV4({ service, region, credentials, sha256 });
    const url = new URL(path, process.env['AWS_ENDPOINT_URL'] ?? endpoint);
    const signed = await signer.sign(
      { method, protocol: url.protocol, hostname: url.hostname, path, headers: { host: url.host, ...headers }, body },
      { signingDate: now },
    );
    const response = await requestText(url, { method, headers: signed.headers, body, timeout });
    if (response.status === 200) return v.parse(v.pipe(json, output), response.body);
    const refusal = v.safeParse(v.pipe(json, awsError), response.body);
    if (!refusal.success) throw new Error(`HTTP ${response.status} without an error of AWS`);
    const { __type: type, message } = refusal.output;
    throw Object.assign(new Error(message), { name: type.slice(type.indexOf('#') + 1) });
  } finally {
    sts.destroy();
  }
};
