import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentOptions, limitBody } from '../../../functions/dynamodb.ts';
import { stackName } from '../../infrastructure/stack-name.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { clockOf } from './clock.ts';
import { type StaffTables, tableNamesIn } from './tables.ts';

/** Long enough for a slow line, short enough not to be taken for work, in milliseconds. */
const timeout = 10_000;
const requestHandler = { connectionTimeout: 3000, requestTimeout: timeout, throwOnRequestTimeout: true };

/** There is no error class for it: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
const isNoSuchStack = (error: unknown) =>
  error instanceof Error && error.name === 'ValidationError' && error.message.endsWith('does not exist');

const describeStack = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> => {
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

/**
 * Finds the tables of a deployed environment by its stack's outputs, with the operator's own AWS credentials and region.
 * @throws {StaffError} when the environment is not deployed; what the SDK throws without credentials, region or network
 */
export const openDeployedTables = async (environment: string): Promise<StaffTables> => {
  const name = stackName(environment);
  const cloudFormation = new CloudFormationClient({ requestHandler });
  cloudFormation.middlewareStack.add(limitBody(timeout), { step: 'deserialize' });
  const now = clockOf(cloudFormation);
  const stack = await describeStack(cloudFormation, name);
  const tables = tableNamesIn(
    Object.fromEntries((stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue])),
  );
  if (!stack || !tables) {
    throw new StaffError(
      `"${environment}" is not deployed in this AWS account and region: run "npx cdk deploy ${name}" first.`,
    );
  }
  const { account, region } = placeOf(stack);
  const client = new DynamoDBClient({ maxAttempts: 5, requestHandler });
  client.middlewareStack.add(limitBody(timeout), { step: 'deserialize' });
  return {
    ...tables,
    client: DynamoDBDocumentClient.from(client, documentOptions),
    where: `${environment} is the stack ${name} in the account ${account}, ${region}`,
    now,
    close: async () => client.destroy(),
  };
};
