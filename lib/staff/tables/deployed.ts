import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stackName } from '../../infrastructure/stack-name.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { clockOf } from './clock.ts';
import { type StaffTables, tableNamesIn } from './tables.ts';

/** Long enough for a slow line, short enough not to be taken for work, in milliseconds. */
const requestHandler = { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** There is no error class for it: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
const isNoSuchStack = (error: unknown) =>
  error instanceof Error && error.name === 'ValidationError' && error.message.endsWith('does not exist');

const readOutputs = async (
  client: CloudFormationClient,
  stackName: string,
): Promise<Record<string, string | undefined>> => {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    return Object.fromEntries(
      (stack?.Outputs ?? []).map(({ OutputKey: key = '', OutputValue: value }) => [key, value]),
    );
  } catch (error) {
    if (isNoSuchStack(error)) return {};
    throw error;
  } finally {
    client.destroy();
  }
};

/**
 * Finds the tables of a deployed environment by its stack's outputs, with the operator's own AWS credentials and region.
 * @throws {StaffError} when the environment is not deployed; what the SDK throws without credentials, region or network
 */
export const openDeployedTables = async (environment: string): Promise<StaffTables> => {
  const stack = stackName(environment);
  const cloudFormation = new CloudFormationClient({ requestHandler });
  const now = clockOf(cloudFormation);
  const names = tableNamesIn(await readOutputs(cloudFormation, stack));
  if (!names) {
    throw new StaffError(
      `"${environment}" is not deployed in this AWS account and region: run "npx cdk deploy ${stack}" first.`,
    );
  }
  const client = new DynamoDBClient({ maxAttempts: 5, requestHandler });
  return { ...names, client: DynamoDBDocumentClient.from(client), now, close: async () => client.destroy() };
};
