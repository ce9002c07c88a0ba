import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { limitBody } from '../../../functions/dynamodb.ts';
import { stackName } from '../../infrastructure/stack-name.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { clientOptions, patience } from './client-options.ts';
import { clockOf } from './clock.ts';

/** The stack of a deployed environment. */
export interface DeployedStack {
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly outputs: Readonly<Record<string, string | undefined>>;
  /** In which account and region it is, for people. */
  readonly where: string;
  /** The time of AWS. */
  readonly now: () => Date;
}

/** There is no error class for it: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
const isNoSuchStack = (error: unknown) =>
  error instanceof Error && error.name === 'ValidationError' && error.message.endsWith('does not exist');

const describe = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> => {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    // Asked for one by its name, CloudFormation gives it or an error.
    if (!stack) throw new StaffError('This is no answer of AWS: does the network ask for a log-in, or a proxy answer?');
    return stack;
  } catch (error) {
    if (isNoSuchStack(error)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
};

/** A stack's id is its ARN, which tells more than the operator's credentials do: whose they are may not be asked. */
const placeOf = ({ StackId = '' }: Stack) => {
  const [, , , region = '', account = ''] = StackId.split(':');
  return { account, region };
};

/** What a person reads of an environment that has no stack, or one with nothing in it. */
export const notDeployed = (environment: string): StaffError =>
  new StaffError(
    `"${environment}" is not deployed in this AWS account and region: run "npx cdk deploy ${stackName(environment)}" first.`,
  );

/**
 * Asks for the stack of an environment, with the operator's own AWS credentials and region.
 * @throws {StaffError} when the environment is not deployed; what the SDK throws without credentials, region or network
 */
export const describeStack = async (environment: string): Promise<DeployedStack> => {
  const client = new CloudFormationClient(clientOptions(patience));
  client.middlewareStack.add(limitBody(patience), { step: 'deserialize' });
  const now = clockOf(client);
  const name = stackName(environment);
  const stack = await describe(client, name);
  if (!stack) throw notDeployed(environment);
  const { account, region } = placeOf(stack);
  return {
    name,
    account,
    region,
    outputs: Object.fromEntries(
      (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]),
    ),
    where: `${environment} is the stack ${name} in the account ${account}, ${region}`,
    now,
  };
};
