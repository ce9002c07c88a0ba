import { fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';

/**
 * Lambda passes credentials in environment variables
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html), so functions need no SSO, profiles and STS.
 */
export const defaultProvider = (...options: Parameters<typeof fromEnv>) => memoize(fromEnv(...options));
