import { CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation';
import { isStoreUnavailable as isUnavailable } from '../../../functions/shared/dynamodb.ts';
import { makeClient } from '../../aws/client.ts';
import { describeStacks } from '../../aws/stacks.ts';

/** Asks with a client of its own, which is closed then. */
const inRegion = async <Answer>(
  region: string,
  ask: (client: CloudFormationClient) => Promise<Answer>,
): Promise<Answer> => {
  const client = makeClient(CloudFormationClient, { region });
  try {
    return await ask(client);
  } finally {
    client.destroy();
  }
};

/** The states of a stack that was never complete: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
const wasComplete = ({ StackStatus }: Stack) => !/^(REVIEW_|CREATE_(?!COMPLETE)|ROLLBACK_)/.test(StackStatus ?? '');

const describe = async (client: CloudFormationClient, name: string): Promise<Stack | undefined> => {
  const stacks = await describeStacks(client, name);
  if (stacks?.length === 0) throw new Error('this is no answer of AWS');
  return stacks?.find(wasComplete);
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

/**
 * Whether a region has such a stack. One that refuses, as each does that the account has not opened, has none; one that is too
 * busy or cannot be reached may have one.
 */
export const hasStack = async (region: string, name: string): Promise<boolean> => {
  try {
    return (await completeStackIn(region, name)) !== undefined;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return false;
  }
};
