import type { Node } from 'constructs';

/**
 * The flags of the CDK that shape what is in the service's construct: a test says so when another one does. An app that
 * others began years ago may have other values, and with them a deployment of the API that misses a change of its
 * authorizer.
 * https://github.com/aws/aws-cdk/blob/main/packages/aws-cdk-lib/cx-api/FEATURE_FLAGS.md
 */
const flags = {
  '@aws-cdk/aws-apigateway:authorizerChangeDeploymentLogicalId': true,
  '@aws-cdk/aws-apigateway:logGroupDestinationArnWithoutWildcard': true,
};

/** Sets them for what will be below a construct, whatever the app around it has. */
export const setFeatureFlags = (node: Node): void => {
  for (const [flag, value] of Object.entries(flags)) node.setContext(flag, value);
};
