import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { type App, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import * as v from 'valibot';
import { callerAccount, describeStacks, exportCommand, makeClient, outputsOf } from '../shared/aws.ts';
import type { createApp } from './app.ts';
import { deployedSettingsIn, tableNamesIn } from './outputs.ts';
import { type Environment, parseEnvironments, stackName } from './settings.ts';

/** An environment's stack, as CloudFormation describes it. */
export type StackState =
  | { readonly kind: 'deployed'; readonly outputs: Readonly<Record<string, string | undefined>> }
  /** There is no stack, or one whose creation failed: it holds no data. */
  | { readonly kind: 'new' }
  /** `hasOtherCredentials`: `cdk` deploys with credentials that the app does not have. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly hasOtherCredentials?: boolean };

/** A message of the synthesis about an environment. A fatal one stops the deployment of its stack. */
interface Finding {
  readonly rule: string;
  readonly severity: 'fatal' | 'warning';
  readonly description: string;
}

/** Why the deployed bucket of files would be of no use any more; undefined if it stays in use. */
const lossOfFiles = ({ files }: Environment, bucket: string, isImported: boolean): string | undefined => {
  if (!files)
    return `the stack would leave the bucket ${bucket}: staff could no longer read its files, and nothing would delete them any more`;
  const { existingBucket = isImported ? undefined : bucket } = files;
  return existingBucket === bucket
    ? undefined
    : `the stack would use another bucket than ${bucket}, and no longer show its files`;
};

/** The losses of a deployment, by the setting that causes them. */
const lossesOf = (environment: Environment, state: StackState): Record<string, string> => {
  if (state.kind === 'unknown' && state.hasOtherCredentials)
    return { credentials: `cannot read the deployed stack: ${state.reason}` };
  if (state.kind !== 'deployed') return {};
  const { retainData, existingTables } = environment;
  const deployed = deployedSettingsIn(state.outputs);
  const tables = tableNamesIn(state.outputs);
  const hasOtherTables =
    tables &&
    (existingTables
      ? existingTables.contacts !== tables.contacts ||
        existingTables.campaigns !== tables.campaigns ||
        existingTables.tokens !== tables.tokens
      : deployed?.existingTables !== undefined);
  const { FilesBucket: bucket } = state.outputs;
  const ofFiles = bucket && lossOfFiles(environment, bucket, deployed?.existingBucket !== undefined);
  return {
    ...(ofFiles && { files: ofFiles }),
    ...(deployed?.retainData &&
      !retainData && {
        retainData:
          'the deployed stack has "retainData: true". The stack and its tables would lose their protection, and "cdk destroy" would delete all contact requests, campaigns and tokens',
      }),
    ...(hasOtherTables && {
      existingTables: `the stack would use other tables than ${Object.values(tables).join(', ')}, and no longer show their data`,
    }),
  };
};

/**
 * Compares an environment with its deployed stack.
 * @param confirmed losses that the operator accepts, as in `prod.retainData`
 */
export const findingsOf = (
  environment: Environment,
  state: StackState,
  confirmed: ReadonlySet<string>,
): readonly Finding[] => {
  const losses = Object.entries(lossesOf(environment, state)).map(([setting, loss]): Finding => {
    const rule = `${environment.name}.${setting}`;
    if (confirmed.has(rule)) return { rule, severity: 'warning', description: `Confirmed: ${loss}` };
    return { rule, severity: 'fatal', description: `${loss}. To deploy anyway: -c confirm=${rule}` };
  });
  if (losses.length > 0) return losses;
  const warning = (description: string): Finding[] => [{ rule: 'deployed', severity: 'warning', description }];
  if (state.kind === 'unknown')
    return warning(`Data-loss check skipped, cannot read the deployed stack: ${state.reason}`);
  if (state.kind === 'new' && environment.retainData)
    return warning(
      'the first deployment is not protected, so that you can repeat it if it fails. Deploy once more to protect the stack and its tables',
    );
  return [];
};

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
const wasNeverComplete = (status = '') => /^(REVIEW_|CREATE_(?!COMPLETE)|ROLLBACK_)/.test(status);

const readStack = async (region: string, name: string): Promise<StackState> => {
  const client = makeClient(CloudFormationClient, { region });
  try {
    const stacks = await describeStacks(client, name);
    if (stacks === undefined) return { kind: 'new' };
    const [stack] = stacks;
    if (!stack) return { kind: 'unknown', reason: 'the response does not come from AWS' };
    return wasNeverComplete(stack.StackStatus) ? { kind: 'new' } : { kind: 'deployed', outputs: outputsOf(stack) };
  } catch (error) {
    return { kind: 'unknown', reason: lineOf(error) };
  } finally {
    client.destroy();
  }
};

/** The first line of an error, in which AWS names a missing permission. */
const lineOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n');
  return line;
};

const withProfile = 'Instead of --profile, use "AWS_PROFILE=<profile> npx cdk …"';

/** The account and region of the credentials of `cdk`: https://docs.aws.amazon.com/cdk/v2/guide/configure-env.html */
interface CdkVariables {
  readonly CDK_DEFAULT_ACCOUNT?: string | undefined;
  readonly CDK_DEFAULT_REGION?: string | undefined;
}

/**
 * Asks CloudFormation for the stack of each environment.
 * @param variables the process's
 */
export const readStacks = async (
  environments: readonly Environment[],
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: CdkVariables,
): Promise<readonly StackState[]> => {
  const all = (state: StackState) => environments.map(() => state);
  if (!CDK_DEFAULT_ACCOUNT) return all({ kind: 'unknown', reason: 'no valid AWS credentials' });
  const otherCredentials = (found: string, remedy: string) =>
    all({
      kind: 'unknown',
      reason: `the CDK has credentials of ${CDK_DEFAULT_ACCOUNT}, but its app has ${found}. ${remedy}`,
      hasOtherCredentials: true,
    });
  let caller: string | undefined;
  try {
    caller = await callerAccount(CDK_DEFAULT_REGION);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'CredentialsProviderError'))
      return all({ kind: 'unknown', reason: lineOf(error) });
    const command = exportCommand(process.env);
    return command === undefined
      ? otherCredentials('no credentials', withProfile)
      : otherCredentials(
          `none (${error.message})`,
          `To give it those of the AWS CLI, first run: ${command} (docs/first-deployment.md#if-it-fails)`,
        );
  }
  if (caller !== CDK_DEFAULT_ACCOUNT)
    return otherCredentials(caller ? `credentials of ${caller}` : 'no credentials', withProfile);
  return Promise.all(
    environments.map(async (environment): Promise<StackState> => {
      const { account = caller, region = CDK_DEFAULT_REGION } = environment;
      if (account !== caller)
        return { kind: 'unknown', reason: `it is in account ${account}, but the credentials belong to ${caller}` };
      if (!region) return { kind: 'unknown', reason: 'no AWS region' };
      return readStack(region, stackName(environment.name));
    }),
  );
};

/** Reports findings to the CDK. It stops only if it deploys this environment's stack. */
const reporter = (environment: Environment, findings: readonly Finding[]): IPolicyValidationPlugin => ({
  name: `Environment "${environment.name}"`,
  validate: () => ({
    success: findings.every(({ severity }) => severity !== 'fatal'),
    violations: findings.map(({ rule, ...finding }) => ({
      ruleName: rule,
      ...finding,
      violatingResources: [{ constructPath: stackName(environment.name), locations: [] }],
    })),
  }),
});

/** `-c confirm=prod.retainData,prod.existingTables` */
const confirmation = v.pipe(
  v.optional(v.unknown(), ''),
  v.transform(String),
  v.transform((text) => new Set(text.split(',').map((name) => name.trim()))),
);

/**
 * The CDK app, compared with the deployed stacks: it refuses deployments that would lose data unless the operator confirms
 * them, and protects a stack from its second deployment on.
 * @param variables the process's, with those of `cdk`
 * @throws {SettingsError} a line for each error in the settings
 */
export const createGuardedApp = async (
  create: typeof createApp,
  inputs: Readonly<Record<string, object>>,
  bundle: () => Promise<string>,
  variables: NodeJS.ProcessEnv,
): Promise<App> => {
  const environments = parseEnvironments(inputs);
  const [bundles, states] = await Promise.all([bundle(), readStacks(environments, variables)]);
  const firstDeployments = environments.filter((_, at) => states[at]?.kind === 'new').map(({ name }) => name);
  const app = create(inputs, bundles, { firstDeployments: new Set(firstDeployments) });
  const confirmed = v.parse(confirmation, app.node.tryGetContext('confirm'));
  for (const [at, environment] of environments.entries()) {
    const state = states[at];
    // Needed without findings, too: otherwise `cdk` would read the report of an earlier run in the same folder.
    if (state) Validations.of(app).addPlugins(reporter(environment, findingsOf(environment, state, confirmed)));
  }
  return app;
};
