import { CloudFormationClient, type Stack } from '@aws-sdk/client-cloudformation';
import { makeClient } from '../../aws/client.ts';
import { describeStacks, outputsOf } from '../../aws/stacks.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StackPlace } from '../place.ts';
import { refuseOtherAccount } from './account.ts';
import { clockOf } from './clock.ts';
import { notAws } from './not-aws.ts';

/** The stack of a deployed environment. */
export interface DeployedStack {
  readonly name: string;
  readonly account: string;
  /** Every client of what is in the stack is made with it: the shell's may be another. */
  readonly region: string;
  readonly outputs: Readonly<Record<string, string | undefined>>;
  /** In which account and region it is, for people. */
  readonly where: string;
  /** The time of AWS. */
  readonly now: () => Date;
}

/** A stack's id is its ARN, which tells more than the operator's credentials do: whose they are may not be asked. */
const locate = ({ StackId = '' }: Stack) => {
  const [, , , region = '', account = ''] = StackId.split(':');
  return { account, region };
};

/** What a person reads of an environment that has no stack, or one with nothing in it. */
export const notDeployed = ({ called, stack, account, region }: StackPlace): StaffError => {
  const where =
    account === undefined && region === undefined
      ? 'in this AWS account and region'
      : `in ${account === undefined ? 'this AWS account' : `the account ${account}`}, ${region ?? 'in this region'}`;
  return new StaffError(
    called === stack
      ? `There is no stack ${stack} of this service ${where}: "aws cloudformation list-stacks" shows those that there are.`
      : `"${called}" is not deployed ${where}: run "npx cdk deploy ${stack}" first.`,
  );
};

/**
 * Asks for a stack, with the operator's own AWS credentials, in the account and region that the settings name.
 * @throws {StaffError} when it is not deployed, or the credentials are another account's; what the SDK throws without
 * credentials, region or network
 */
export const describeStack = async (place: StackPlace): Promise<DeployedStack> => {
  await refuseOtherAccount(place);
  const { called, stack: name, region: named } = place;
  const client = makeClient(CloudFormationClient, { ...(named !== undefined && { region: named }) });
  const now = clockOf(client);
  const stacks = await describeStacks(client, name).finally(() => client.destroy());
  if (!stacks) throw notDeployed(place);
  const [stack] = stacks;
  if (!stack) throw notAws();
  const { account, region } = locate(stack);
  return {
    name,
    account,
    region,
    outputs: outputsOf(stack),
    where: `${called === name ? 'This' : called} is the stack ${name} in the account ${account}, ${region}`,
    now,
  };
};
