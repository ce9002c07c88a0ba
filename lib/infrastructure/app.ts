import { App, type AppProps } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { ServiceStack } from './service-stack.ts';
import { type Environment, EnvironmentError, parseEnvironment } from './settings.ts';
import { stackNameOf } from './stack-name.ts';

/** What an app of the CDK has here. */
export const appDefaults = {
  analyticsReporting: false,
  // Takes two seconds, which only a deployment is worth: lib/infrastructure/checks.ts adds it.
  builtinCloudFormationValidation: false,
  // Here and not in cdk.json, so that the template is the same whoever synthesizes: the CLI, the local service, a test.
  postCliContext: featureFlags,
} satisfies AppProps;

export interface ServiceAppProps extends AppProps {
  /** The environments whose stacks were never complete: these are not protected yet. @defaultValue none */
  readonly firstDeployments?: ReadonlySet<string>;
}

/** @throws {EnvironmentError} a line for each two that would be one stack */
const refuseSameStack = (environments: readonly Environment[]): void => {
  const byStack = Map.groupBy(environments, stackNameOf);
  const faults = [...byStack].flatMap(([stack, [one, other]]) =>
    one && other
      ? `Environments "${one.name}" and "${other.name}": both are the stack ${stack}: name one otherwise`
      : [],
  );
  if (faults.length > 0) throw new EnvironmentError(faults.join('\n'));
};

/**
 * The CDK app: a stack for each environment.
 * @param bundles the folder that `bundleFunctions` filled
 * @throws {EnvironmentError} a line for each setting that is wrong
 */
export const createApp = (
  environments: Readonly<Record<string, object>>,
  bundles: string,
  { firstDeployments, ...props }: ServiceAppProps = {},
): App => {
  const parsed = Object.entries(environments).map(([name, input]) => parseEnvironment(name, input));
  refuseSameStack(parsed);
  const app = new App({ ...appDefaults, ...props });
  for (const environment of parsed) {
    const deletionProtection = environment.retainData && !firstDeployments?.has(environment.name);
    new ServiceStack(app, stackNameOf(environment), { environment, bundles, deletionProtection });
  }
  return app;
};
