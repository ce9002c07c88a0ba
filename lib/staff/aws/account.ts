import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { limitBody } from '../../../functions/dynamodb.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StackPlace } from '../place.ts';
import { clientOptions, patience } from './client-options.ts';

const identity = v.object({ Account: v.pipe(v.string(), v.regex(/^\d{12}$/)) });

/**
 * Asks whose the credentials are, where the settings name an account: nothing is sent to any other. It takes no permission:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 * @throws {StaffError} when they are another account's
 */
export const refuseOtherAccount = async ({ called, account, region }: StackPlace): Promise<void> => {
  if (account === undefined) return;
  const client = new STSClient({ ...(region !== undefined && { region }), ...clientOptions(patience) });
  client.middlewareStack.add(limitBody(patience), { step: 'deserialize' });
  try {
    const answer = v.safeParse(identity, await client.send(new GetCallerIdentityCommand()));
    if (!answer.success) throw notAws();
    if (answer.output.Account === account) return;
    throw new StaffError(
      `"${called}" is in the account ${account}, and these AWS credentials are those of ${answer.output.Account}: nothing was done. Set AWS_PROFILE to one of ${account}.`,
    );
  } finally {
    client.destroy();
  }
};

/** Whatever answered in its place. */
export const notAws = (): StaffError =>
  new StaffError('This is no answer of AWS: does the network ask for a log-in, or a proxy answer?');
