import { devNull } from 'node:os';

/**
 * Variables by which a shell, a CI job or a developer's machine leads the AWS SDKs, the CDK or Node elsewhere:
 * https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html, https://nodejs.org/api/cli.html#node_use_env_proxy1
 */
const leadsElsewhere = (name: string) => /^(AWS_|CDK_|(HTTPS?|ALL|NO)_PROXY$|NODE_USE_ENV_PROXY$)/i.test(name);

/** In place of the AWS files of the home folder, which the SDKs read whatever else is set. */
export const emptyAwsFiles = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull } as const;

/**
 * Removes the variables of AWS and of proxies from an environment, so that the code in it speaks to this machine alone. Code
 * that serves, calls or tests the local service begins with this, or starts a thread with variables of its own.
 * Node has read the variables of its own process by then: there, `fetch` and Node's global agents go through the proxy
 * still, and are not to be used.
 */
export const isolate = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  for (const name of Object.keys(variables)) if (leadsElsewhere(name)) delete variables[name];
  return Object.assign(variables, emptyAwsFiles);
};
