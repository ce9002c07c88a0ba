import { fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';

/**
 * In place of `@aws-sdk/credential-provider-node`: on Lambda the credentials are in the environment
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html), which SSO, profiles and STS cannot reach. They
 * are read once, as that provider does: the variables of a process stay, and reading them takes time.
 */
export const defaultProvider = (...options: Parameters<typeof fromEnv>) => memoize(fromEnv(...options));
