import { devNull } from 'node:os';

/**
 * Variables that direct the AWS SDKs, the CDK or Node to other machines:
 * https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html, https://nodejs.org/api/cli.html#node_use_env_proxy1
 */
const leadsElsewhere = (name: string) => /^(AWS_|CDK_|(HTTPS?|ALL|NO)_PROXY$|NODE_USE_ENV_PROXY$)/i.test(name);

/** Replaces the AWS files of the home folder, which the SDKs always read. */
export const emptyAwsFiles = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull } as const;

/**
 * Removes the variables of AWS and of proxies, so that code with these variables speaks to this machine alone. All code that
 * serves, calls or tests the local service begins with this, or starts a thread with its own variables. Node has read the
 * proxy variables of its own process before: do not use `fetch` or Node's global agents there.
 */
export const isolate = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  for (const name of Object.keys(variables)) if (leadsElsewhere(name)) delete variables[name];
  return Object.assign(variables, emptyAwsFiles);
};
