import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateDescribeStacks,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { limitBody } from '../../../functions/dynamodb.ts';
import { clientOptions, patience } from '../../staff/aws/client-options.ts';
import { isNoSuchStack } from '../../staff/aws/no-such-stack.ts';

/** Asks with a client of its own, which is closed then. */
const inRegion = async <Answer>(
  region: string,
  ask: (client: CloudFormationClient) => Promise<Answer>,
  maxAttempts?: number,
): Promise<Answer> => {
  const client = new CloudFormationClient({ ...clientOptions(patience), region, ...(maxAttempts && { maxAttempts }) });
  client.middlewareStack.add(limitBody(patience), { step: 'deserialize' });
  try {
    return await ask(client);
  } finally {
    client.destroy();
  }
};

const describe = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> => {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  } catch (error) {
    if (isNoSuchStack(error)) return undefined;
    throw error;
  }
};

/** The stack of a name. */
export const stackIn = (region: string, name: string): Promise<Stack | undefined> =>
  inRegion(region, (client) => describe(client, name));

/** All stacks of a region. */
export const stacksIn = (region: string): Promise<Stack[]> =>
  inRegion(region, async (client) => {
    const stacks: Stack[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) stacks.push(...Stacks);
    return stacks;
  });

/** Whether a region has a stack of a name; a region that does not answer, as one that the account has not opened, has none. */
export const hasStack = (region: string, name: string): Promise<boolean> =>
  inRegion(region, (client) => describe(client, name), 1).then(
    (stack) => stack !== undefined,
    () => false,
  );
