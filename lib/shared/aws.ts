import { type CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { InitializeMiddleware } from '@smithy/types';
import * as v from 'valibot';
import { bodyTimeout } from '../../functions/shared/dynamodb.ts';
import { networkOf } from './network.ts';
import { quoted } from './terminal-text.ts';

/** Milliseconds for a response to begin, and for the rest of it. */
const defaultTimeout = 10_000;

/** More than any command needs at once. With the SDK's 50, waiting requests would fail as if there were no connection. */
const maxSockets = 200;

/** The common part of the SDK's clients. */
export interface AwsClient {
  readonly middlewareStack: {
    add(middleware: ReturnType<typeof bodyTimeout>, options: { readonly step: 'deserialize' }): void;
    add(middleware: InitializeMiddleware<object, object>, options: { readonly step: 'initialize' }): void;
  };
  destroy(): void;
}

const requests = new WeakMap<object, string>();

/** The request that failed with an error, as in `SQS StartMessageMoveTask`: some errors of AWS do not name it. */
export const requestOf = (error: object): string | undefined => requests.get(error);

const rememberRequest: InitializeMiddleware<object, object> =
  (next, { clientName = '', commandName = '' }) =>
  async (args) => {
    try {
      return await next(args);
    } catch (error) {
      const names = [clientName.replace(/Client$/, ''), commandName.replace(/Command$/, '')];
      if (error instanceof Error) requests.set(error, names.join(' '));
      throw error;
    }
  };

/** How a client reaches AWS: `requestHandler` is also that of the requests for its credentials, as to single sign-on. */
const requestOptions = (milliseconds: number) => {
  const agent = { maxSockets, ...networkOf(process.env) };
  return {
    requestHandler: {
      connectionTimeout: 3000,
      requestTimeout: milliseconds,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
};

/** Keys in the shell win over AWS_PROFILE, as in the CDK and the AWS CLI, but not in the SDK. */
const credentialsWith = (clientConfig: ReturnType<typeof requestOptions>) => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  return AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY ? fromEnv() : defaultProvider({ clientConfig });
};

const clientOptions = (milliseconds: number) => {
  const options = requestOptions(milliseconds);
  return { ...options, credentials: credentialsWith(options) };
};

/** The options of every client. */
export type ClientOptions = ReturnType<typeof clientOptions>;

/**
 * Makes an AWS client whose requests end. It has the network and the credentials of `cdk` and `aws` in the same shell.
 * @param milliseconds for a response to begin, and for the rest of it
 */
export const makeClient = <Client extends AwsClient, Options extends object>(
  Client: new (options: Options & ClientOptions) => Client,
  options: Options,
  milliseconds = defaultTimeout,
): Client => {
  const client = new Client({ ...clientOptions(milliseconds), ...options });
  client.middlewareStack.add(rememberRequest, { step: 'initialize' });
  client.middlewareStack.add(bodyTimeout(milliseconds), { step: 'deserialize' });
  return client;
};

/**
 * What to run if only the AWS CLI can get the credentials of the profile, as of one that asks for a code; undefined without
 * a profile.
 */
export const exportCommand = ({ AWS_PROFILE }: NodeJS.ProcessEnv): string | undefined =>
  AWS_PROFILE && `eval "$(aws configure export-credentials --profile ${quoted(AWS_PROFILE)} --format env)"`;

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
