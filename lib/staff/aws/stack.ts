import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { limitBody } from '../../../functions/dynamodb.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StackPlace } from '../place.ts';
import { notAws, refuseOtherAccount } from './account.ts';
import { clientOptions, patience } from './client-options.ts';
import { clockOf } from './clock.ts';
import { isNoSuchStack } from './no-such-stack.ts';

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

const describe = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> => {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    // Asked for one by its name, CloudFormation gives it or an error.
    if (!stack) throw notAws();
    return stack;
  } catch (error) {
    if (isNoSuchStack(error)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
};

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
  const client = new CloudFormationClient({
    ...(named !== undefined && { region: named }),
    ...clientOptions(patience),
  });
  client.middlewareStack.add(limitBody(patience), { step: 'deserialize' });
  const now = clockOf(client);
  const stack = await describe(client, name);
  if (!stack) throw notDeployed(place);
  const { account, region } = locate(stack);
  return {
    name,
    account,
    region,
    outputs: Object.fromEntries(
      (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]),
    ),
    where: `${called === name ? 'This' : called} is the stack ${name} in the account ${account}, ${region}`,
    now,
  };
};
