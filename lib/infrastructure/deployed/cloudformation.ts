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

/** The states of a stack that was never complete: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
const wasComplete = ({ StackStatus }: Stack) => !/^(REVIEW_|CREATE_(?!COMPLETE)|ROLLBACK_)/.test(StackStatus ?? '');

const describe = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks.find(wasComplete);
  } catch (error) {
    if (isNoSuchStack(error)) return undefined;
    throw error;
  }
};

/** The stack of a name, if it was complete once. */
export const completeStackIn = (region: string, name: string): Promise<Stack | undefined> =>
  inRegion(region, (client) => describe(client, name));

/** All stacks of a region that were. */
export const completeStacksIn = (region: string): Promise<Stack[]> =>
  inRegion(region, async (client) => {
    const stacks: Stack[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
      stacks.push(...Stacks.filter(wasComplete));
    return stacks;
  });

/** Whether a region has such a stack; a region that does not answer, as one that the account has not opened, has none. */
export const hasStack = (region: string, name: string): Promise<boolean> =>
  inRegion(region, (client) => describe(client, name), 1).then(
    (stack) => stack !== undefined,
    () => false,
  );
