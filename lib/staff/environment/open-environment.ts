import { CloudFormationClient, type Stack } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { documentOptions } from '../../../functions/shared/dynamodb.ts';
import { deployedSettingsIn, tableNamesIn } from '../../infrastructure/outputs.ts';
import { nameWithInstance, stackName, stackSettings } from '../../infrastructure/settings.ts';
import { type AwsClient, callerAccount, describeStacks, makeClient, outputsOf } from '../../shared/aws.ts';
import { tablesOf } from '../../shared/environment-tables.ts';
import { didYouMean } from '../../shared/nearest.ts';
import type { WrittenEnvironments } from '../../shared/settings-file.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { notAws } from './failure.ts';
import { filesBucketIn } from './files-bucket.ts';
import type { Choice, ClientMaker, StaffEnvironment } from './staff-environment.ts';

/** Attempts of each request to the tables, which take about half a minute. */
const maxAttempts = 10;

/** Milliseconds for S3 to respond, with a whole file. */
const fileTimeout = 60_000;

/** The expected location of a stack. */
interface StackLocation {
  readonly name: string;
  readonly chosenBy: string;
  readonly stack: string;
  /** @defaultValue that of the credentials */
  readonly account?: string | undefined;
  /** @defaultValue that of the shell */
  readonly region?: string | undefined;
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html */
export const stackNamePattern = /^[A-Za-z][A-Za-z0-9-]{0,127}$/;

/** Only the settings that locate the stack: errors in others must not stop a token from being revoked. */
const locationSchema = v.object(stackSettings);

/** @throws {StaffError} if the settings lack the environment, or have an error in its location */
const locationOf = (environments: WrittenEnvironments, { env = 'local', stack }: Choice): StackLocation => {
  if (stack !== undefined) {
    if (stackNamePattern.test(stack)) return { name: stack, chosenBy: `--stack ${stack}`, stack };
    throw new StaffError(`"${stack}" is not a stack name. Run "npx cdk list" to see the stacks of your settings.`);
  }
  if (!Object.hasOwn(environments, env)) {
    const known = ['local', ...Object.keys(environments)];
    throw new StaffError(`Unknown environment "${env}": use ${known.join(', ')}.${didYouMean(env, known)}`);
  }
  const result = v.safeParse(locationSchema, environments[env]);
  if (!result.success) {
    const errors = result.issues.map((issue) => `Environment "${env}": ${v.getDotPath(issue)}: ${issue.message}`);
    throw new StaffError(...errors);
  }
  const { account, region, instance } = result.output;
  return { name: env, chosenBy: `--env ${env}`, stack: stackName(nameWithInstance(env, instance)), account, region };
};

/** @throws {StaffError} if the credentials belong to another account */
const refuseOtherAccount = async ({ name, account, region }: StackLocation): Promise<void> => {
  if (account === undefined) return;
  const caller = await callerAccount(region);
  if (caller === undefined) throw notAws();
  if (caller === account) return;
  throw new StaffError(
    `"${name}" is in account ${account}, but these AWS credentials belong to ${caller}. Nothing was done. Set AWS_PROFILE to a profile of ${account}.`,
  );
};

const notDeployed = ({ name, stack, account, region }: StackLocation): StaffError => {
  const where = `in ${account === undefined ? 'this AWS account' : `account ${account}`}, ${region ?? 'in this region'}`;
  return new StaffError(
    name === stack
      ? `This service has no stack ${stack} ${where}. Run "aws cloudformation list-stacks" to see the stacks.`
      : `"${name}" is not deployed ${where}. Run "npx cdk deploy ${stack}" first.`,
  );
};

/** A response with the header `Date`: RFC 9110, section 6.6.1. */
const dated = v.object({
  headers: v.object({ date: v.pipe(v.string(), v.transform(Date.parse), v.integer()) }),
});

/**
 * The time of AWS, from the responses that a client gets. If this machine's clock is minutes slow, released contact requests
 * would otherwise enter the list where readers have already been.
 */
const clockOf = (client: CloudFormationClient): (() => Date) => {
  let ahead = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = v.safeParse(dated, result.response);
      const offset = response.success ? response.output.headers.date - Date.now() : 0;
      // The header has whole seconds.
      ahead = Math.abs(offset) > 2000 ? offset : 0;
      return result;
    },
    { step: 'deserialize' },
  );
  return () => new Date(Date.now() + ahead);
};

/** A stack's id is its ARN: it holds the region and the account, which can differ from the shell's. */
const stackOf = ({ StackName: name = '', StackId = '' }: Stack) => {
  const [, , , region = '', account = ''] = StackId.split(':');
  return { name, account, region };
};

/** @throws {StaffError} if it is not deployed, or the credentials belong to another account */
const openDeployed = async (
  location: StackLocation,
  openLocal: () => Promise<StaffEnvironment>,
): Promise<StaffEnvironment> => {
  await refuseOtherAccount(location);
  const { name, chosenBy, region: named } = location;
  const cloudFormation = makeClient(CloudFormationClient, named === undefined ? {} : { region: named });
  const now = clockOf(cloudFormation);
  const stacks = await describeStacks(cloudFormation, location.stack).finally(() => cloudFormation.destroy());
  if (!stacks) throw notDeployed(location);
  const [described] = stacks;
  if (!described) throw notAws();
  const stack = stackOf(described);
  const outputs = outputsOf(described);
  const tableNames = tableNamesIn(outputs);
  const settings = deployedSettingsIn(outputs);
  if (!tableNames || !settings) throw notDeployed(location);

  const { region } = stack;
  const clients: AwsClient[] = [];
  const client: ClientMaker = (Client, timeout) => {
    const made = makeClient(Client, { region }, timeout);
    clients.push(made);
    return made;
  };
  const dynamodbClient = makeClient(DynamoDBClient, { region, maxAttempts, retryMode: 'standard' });
  const dynamodb = DynamoDBDocumentClient.from(dynamodbClient, documentOptions);
  return {
    name,
    chosenBy,
    where: `${name === stack.name ? '' : `${name}: `}stack ${stack.name}, account ${stack.account}, ${region}`,
    stack,
    outputs,
    settings,
    tables: tablesOf(dynamodb, tableNames),
    dynamodb,
    files: filesBucketIn(outputs, true, (S3Client) => client(S3Client, fileTimeout)),
    client,
    openLocal,
    now,
    [Symbol.asyncDispose]: async () => {
      for (const each of [dynamodbClient, ...clients]) each.destroy();
    },
  };
};

/**
 * Opens the environment that the options name.
 * @param openLocal opens the service of this machine. It may change the variables so that nothing reaches AWS.
 * @throws {StaffError} if it is unknown, not deployed or in another account
 */
export const openEnvironment = (
  environments: WrittenEnvironments,
  choice: Choice,
  openLocal: (environments: WrittenEnvironments, variables: NodeJS.ProcessEnv) => Promise<StaffEnvironment>,
): Promise<StaffEnvironment> => {
  const { env = 'local', stack } = choice;
  if (stack === undefined && env === 'local') return openLocal(environments, process.env);
  return openDeployed(locationOf(environments, choice), () => openLocal(environments, { ...process.env }));
};
