import { App, type AppProps } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { ServiceStack } from './service-stack.ts';
import { parseEnvironment } from './settings.ts';
import { stackName } from './stack-name.ts';

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
  const app = new App({ ...appDefaults, ...props });
  for (const environment of parsed) {
    const deletionProtection = environment.retainData && !firstDeployments?.has(environment.name);
    new ServiceStack(app, stackName(environment.name), { environment, bundles, deletionProtection });
  }
  return app;
};
