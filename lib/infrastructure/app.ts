import { App, type AppProps, CfnOutput, Stack } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import type { Construct } from 'constructs';
import { ContactService, type ContactServiceProps } from './contact-service.ts';
import { parseEnvironments, stackName } from './settings.ts';

/** A stack with the service in one environment. */
export class ServiceStack extends Stack {
  /** The key in the settings. */
  readonly environmentName: string;

  constructor(scope: Construct, id: string, props: Required<ContactServiceProps>) {
    const { environment, bundles, deletionProtection } = props;
    const { name, key, instance, account, region, retainData, tags } = environment;
    super(scope, id, {
      description: `Contact Request and Campaign Service, ${name}`,
      env: { ...(account && { account }), ...(region && { region }) },
      // The tables have a protection of their own.
      terminationProtection: deletionProtection,
      tags: { ...tags, Service: 'contact-service', Environment: key, ...(instance && { Instance: instance }) },
    });
    this.environmentName = key;
    // The CDK leaves `Default` out of logical ids.
    new ContactService(this, 'Default', { environment, bundles, deletionProtection });
    if (retainData && !deletionProtection) {
      // An output, since a deployment prints outputs last: a warning would scroll away.
      new CfnOutput(this, 'NextStep', { value: 'Deploy once more to protect the stack and its tables from deletion.' });
    }
  }
}

export interface ServiceAppProps extends AppProps {
  /** The names of environments that were never deployed: their stacks are not protected yet. @defaultValue none */
  readonly firstDeployments?: ReadonlySet<string>;
}

/**
 * The CDK app: a stack for each environment.
 * @param inputs the settings, as an operator writes them
 * @param bundles the folder of `bundleFunctions`
 * @throws {SettingsError} a line for each error in the settings
 */
export const createApp = (
  inputs: Readonly<Record<string, object>>,
  bundles: string,
  { firstDeployments, ...props }: ServiceAppProps = {},
): App => {
  const environments = parseEnvironments(inputs);
  const app = new App({
    analyticsReporting: false,
    // The validation takes two seconds: checks.ts adds it for `cdk`.
    builtinCloudFormationValidation: false,
    // The feature flags are set here and not in cdk.json, so that the CLI, the local service and tests synthesize the same template.
    postCliContext: featureFlags,
    ...props,
  });
  for (const environment of environments) {
    const deletionProtection = environment.retainData && !firstDeployments?.has(environment.name);
    new ServiceStack(app, stackName(environment.name), { environment, bundles, deletionProtection });
  }
  return app;
};
