/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles (lib/infrastructure/bundle.ts): on Lambda the credentials are in
 * the environment (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html).
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
