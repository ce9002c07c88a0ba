import { callerAccount } from '../../aws/caller.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StackPlace } from '../place.ts';
import { notAws } from './not-aws.ts';

/**
 * Asks whose the credentials are, where the settings name an account: nothing is sent to any other.
 * @throws {StaffError} when they are another account's
 */
export const refuseOtherAccount = async ({ called, account, region }: StackPlace): Promise<void> => {
  if (account === undefined) return;
  const caller = await callerAccount(region);
  if (caller === undefined) throw notAws();
  if (caller === account) return;
  throw new StaffError(
    `"${called}" is in the account ${account}, and these AWS credentials are those of ${caller}: nothing was done. Set AWS_PROFILE to one of ${account}.`,
  );
};
