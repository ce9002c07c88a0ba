/**
 * In place of `@aws-sdk/credential-provider-node`: on Lambda the credentials are in the environment
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html), which SSO, profiles and STS cannot reach.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
