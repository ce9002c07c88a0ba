import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { makeClient } from './client.ts';

const identity = v.object({ Account: v.pipe(v.string(), v.regex(/^\d{12}$/)) });

/**
 * Asks for the account of the credentials, which needs no permission:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 * @returns undefined if the answer is not from AWS
 * @throws the SDK's errors for missing credentials, region or network
 */
export const callerAccount = async (region: string | undefined): Promise<string | undefined> => {
  const client = makeClient(STSClient, { ...(region && { region }) });
  try {
    const answer = v.safeParse(identity, await client.send(new GetCallerIdentityCommand()));
    return answer.success ? answer.output.Account : undefined;
  } finally {
    client.destroy();
  }
};
