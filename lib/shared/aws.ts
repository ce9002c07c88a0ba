import { type CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { bodyTimeout } from '../../functions/shared/dynamodb.ts';

/** Milliseconds for a response to begin, and for the rest of it. */
const defaultTimeout = 10_000;

/** More than any command needs at once. With the SDK's 50, waiting requests would fail as if there were no connection. */
const maxSockets = 200;

/** The common part of the SDK's clients. */
export interface AwsClient {
  readonly middlewareStack: {
    add(middleware: ReturnType<typeof bodyTimeout>, options: { readonly step: 'deserialize' }): void;
  };
  destroy(): void;
}

const requestOptions = (milliseconds: number) => ({
  requestHandler: {
    connectionTimeout: 3000,
    requestTimeout: milliseconds,
    throwOnRequestTimeout: true,
    httpAgent: { maxSockets },
    httpsAgent: { maxSockets },
  },
});

/** The options with which every request ends. */
export type RequestOptions = ReturnType<typeof requestOptions>;

/**
 * Makes an AWS client whose requests end.
 * @param milliseconds for a response to begin, and for the rest of it
 */
export const makeClient = <Client extends AwsClient, Options extends object>(
  Client: new (options: Options & RequestOptions) => Client,
  options: Options,
  milliseconds = defaultTimeout,
): Client => {
  const client = new Client({ ...options, ...requestOptions(milliseconds) });
  client.middlewareStack.add(bodyTimeout(milliseconds), { step: 'deserialize' });
  return client;
};

const identity = v.object({ Account: v.pipe(v.string(), v.regex(/^\d{12}$/)) });

/**
 * Asks for the account of the credentials, which needs no permission:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 * @returns undefined if the response is not from AWS
 * @throws the SDK's errors for missing credentials, region or network
 */
export const callerAccount = async (region: string | undefined): Promise<string | undefined> => {
  const client = makeClient(STSClient, region ? { region } : {});
  try {
    const response = v.safeParse(identity, await client.send(new GetCallerIdentityCommand()));
    return response.success ? response.output.Account : undefined;
  } finally {
    client.destroy();
  }
};

/** There is no error class for it: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
const isNoSuchStack = (error: unknown) =>
  error instanceof Error && error.name === 'ValidationError' && error.message.endsWith('does not exist');

/**
 * Reads the stack of a name.
 * @returns undefined if there is no such stack; an empty list if the response is not CloudFormation's
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
