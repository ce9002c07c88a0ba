import { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';
import { makeClient } from './aws.ts';
import { requestText } from './network.ts';

/** Milliseconds for AWS to respond. */
const timeout = 10_000;

/** The only place of the API: https://docs.aws.amazon.com/cli/latest/reference/freetier/ */
const place = { region: 'us-east-1', url: 'https://freetier.us-east-1.api.aws' };

const accountPlan = v.object({
  accountPlanType: v.string(),
  accountPlanStatus: v.string(),
  accountPlanExpirationDate: v.optional(
    v.pipe(
      v.union([v.string(), v.number()]),
      // AWS's JSON writes times in seconds or as text.
      v.transform((time) => new Date(typeof time === 'number' ? time * 1000 : time)),
      v.date(),
    ),
  ),
});

export type AccountPlan = v.InferOutput<typeof accountPlan>;

const awsError = v.object({ __type: v.string(), message: v.optional(v.string(), '') });

const json = v.pipe(v.string(), v.parseJson());

/**
 * Reads AWS's Free or Paid plan of an account: https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_freetier_GetAccountPlanState.html
 * It signs by itself: a package of the SDK for this one request would be one more to install.
 * @returns undefined if the account has neither, as older ones
 */
export const readAccountPlan = async (now = new Date()): Promise<AccountPlan | undefined> => {
  const sts = makeClient(STSClient, { region: place.region });
  try {
    const { credentials, sha256 } = sts.config;
    const signer = new SignatureV4({ service: 'freetier', region: place.region, credentials, sha256 });
    const url = new URL(process.env['AWS_ENDPOINT_URL'] ?? place.url);
    const { method, headers, body } = await signer.sign(
      {
        method: 'POST',
        protocol: url.protocol,
        hostname: url.hostname,
        path: '/',
        headers: {
          host: url.host,
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'AWSFreeTierService.GetAccountPlanState',
        },
        body: '{}',
      },
      { signingDate: now },
    );
    const response = await requestText(url, { method, headers, body: String(body), timeout });
    if (response.status === 200) return v.parse(v.pipe(json, accountPlan), response.body);
    const refusal = v.safeParse(v.pipe(json, awsError), response.body);
    if (!refusal.success) throw new Error(`HTTP ${response.status} without an error of AWS`);
    const { __type: type, message } = refusal.output;
    const name = type.slice(type.indexOf('#') + 1);
    if (name === 'ResourceNotFoundException') return undefined;
    throw Object.assign(new Error(message), { name });
  } finally {
    sts.destroy();
  }
};
