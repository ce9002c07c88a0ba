import type { Stack } from '@aws-sdk/client-cloudformation';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { callerAccount } from '../../aws/caller.ts';
import { outputsOf } from '../../aws/stacks.ts';
import type { Environment } from '../settings.ts';
import { stackNameOf } from '../stack-name.ts';
import { tableNamesIn } from '../table-outputs.ts';
import { completeStackIn, completeStacksIn, hasStack } from './cloudformation.ts';
import type { NeverDeployed, Sight, Unseen } from './sight.ts';

/** Of whom `cdk` has credentials, and for which region: https://docs.aws.amazon.com/cdk/v2/guide/configure-env.html */
interface CdkVariables {
  readonly CDK_DEFAULT_ACCOUNT?: string | undefined;
  readonly CDK_DEFAULT_REGION?: string | undefined;
}

const unseen = (why: string, otherCredentials = false): Unseen => ({ kind: 'unseen', why, otherCredentials });

const tagOf = ({ Tags = [] }: Stack, key: string) => Tags.find(({ Key }) => Key === key)?.Value;

/** What else there is of an environment that has no stack: under another name, in other regions. */
const lookElsewhere = async (
  environment: Environment,
  account: string,
  region: string,
  known: ReadonlySet<string>,
): Promise<NeverDeployed> => {
  const { name, retainData } = environment;
  const { partition = 'aws' } = RegionInfo.get(region);
  const others = RegionInfo.regions.filter((other) => other.partition === partition && other.name !== region);
  const [stacks, found] = await Promise.all([
    completeStacksIn(region),
    Promise.all(
      (retainData ? others : []).map(async (other) =>
        (await hasStack(other.name, stackNameOf(environment))) ? other.name : [],
      ),
    ),
  ]);
  const strangers = stacks
    .filter((stack) => tagOf(stack, 'Service') === 'contact-service')
    // Not what stands beside it with the same tags, as the roles by which a workflow deploys it.
    .filter((stack) => tableNamesIn(outputsOf(stack)) !== undefined)
    .filter(({ StackName = '' }) => !known.has(StackName));
  const { namesakes = [], others: strange = [] } = Object.groupBy(strangers, (stack) =>
    tagOf(stack, 'Environment') === name ? 'namesakes' : 'others',
  );
  const namesOf = (some: readonly Stack[]) => some.map(({ StackName = '' }) => StackName);
  return {
    kind: 'never deployed',
    where: `${account}, ${region}`,
    regions: found.flat(),
    namesakes: namesOf(namesakes),
    strangers: namesOf(strange),
  };
};

/** One line of an error: AWS names the action that is not allowed. */
const lineOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n');
  return line;
};

const nobody = (error: unknown): undefined => {
  if (!(error instanceof Error && error.name === 'CredentialsProviderError')) throw error;
};

/**
 * Asks CloudFormation what is deployed of each environment, where `cdk` runs the app and has found credentials.
 * @param variables the process's
 */
export const lookAtDeployed = async (
  environments: readonly Environment[],
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: CdkVariables,
): Promise<Sight[]> => {
  const all = (sight: Sight) => environments.map(() => sight);
  if (!CDK_DEFAULT_ACCOUNT) return all(unseen('there are no AWS credentials, or none that AWS takes'));
  const known = new Set(environments.map(stackNameOf));
  try {
    const caller = await callerAccount(CDK_DEFAULT_REGION).catch(nobody);
    if (caller !== CDK_DEFAULT_ACCOUNT) {
      const found = caller ? `others, of the account ${caller}` : 'none';
      return all(
        unseen(
          `the CDK has credentials of the account ${CDK_DEFAULT_ACCOUNT}, and its app finds ${found}. Is it for --profile? Type "AWS_PROFILE=<profile> npx cdk …" in its place`,
          true,
        ),
      );
    }
    return await Promise.all(
      environments.map(async (environment): Promise<Sight> => {
        const { account = caller, region = CDK_DEFAULT_REGION } = environment;
        if (account !== caller) return unseen(`it is of the account ${account}, and the credentials are of ${caller}`);
        if (!region) return unseen('there is no AWS region');
        try {
          const stack = await completeStackIn(region, stackNameOf(environment));
          if (!stack) return await lookElsewhere(environment, account, region, known);
          return { kind: 'deployed', outputs: outputsOf(stack) };
        } catch (error) {
          return unseen(lineOf(error));
        }
      }),
    );
  } catch (error) {
    return all(unseen(lineOf(error)));
  }
};
