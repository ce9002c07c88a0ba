import { CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation';
import { makeClient } from '../../aws/client.ts';
import { describeStacks } from '../../aws/stacks.ts';

/** Asks with a client of its own, which is closed then. */
const inRegion = async <Answer>(
  region: string,
  ask: (client: CloudFormationClient) => Promise<Answer>,
  maxAttempts?: number,
): Promise<Answer> => {
  const client = makeClient(CloudFormationClient, { region, ...(maxAttempts && { maxAttempts }) });
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

/** Whether a region has such a stack; a region that does not answer, as one that the account has not opened, has none. */
export const hasStack = (region: string, name: string): Promise<boolean> =>
  inRegion(region, (client) => describe(client, name), 1).then(
    (stack) => stack !== undefined,
    () => false,
  );
