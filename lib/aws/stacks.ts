import { type CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';

/** There is no error class for it: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
const isNoSuchStack = (error: unknown) =>
  error instanceof Error && error.name === 'ValidationError' && error.message.endsWith('does not exist');

/**
 * Reads the stack of a name.
 * @returns undefined if there is no such stack; an empty list if the answer is not CloudFormation's
 */
export const describeStacks = async (
  client: CloudFormationClient,
  StackName: string,
): Promise<readonly Stack[] | undefined> => {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks ?? [];
  } catch (error) {
    if (isNoSuchStack(error)) return undefined;
    throw error;
  }
};

/** The outputs of a stack, by their names. */
export const outputsOf = ({ Outputs = [] }: Stack): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Outputs.map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]));
