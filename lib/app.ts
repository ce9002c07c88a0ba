import { App, type AppProps } from 'aws-cdk-lib';
import { type EnvironmentInput, parseEnvironment } from './environments.ts';
import { ServiceStack } from './service-stack.ts';

/** The name of an environment's stack. */
export const stackName = (environment: string) => `ContactService-${environment}`;

/**
 * The CDK app: a stack for each environment.
 * @param bundles the folder that `bundleFunctions` filled
 * @throws {Error} one line that says which setting is wrong
 */
export const createApp = (
  environments: Readonly<Record<string, EnvironmentInput>>,
  bundles: string,
  props: AppProps = {},
): App => {
  const app = new App({ analyticsReporting: false, ...props });
  for (const [name, input] of Object.entries(environments)) {
    new ServiceStack(app, stackName(name), { environment: parseEnvironment(name, input), bundles });
  }
  return app;
};
