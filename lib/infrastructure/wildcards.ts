import { Stack, Token, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** An ARN of the stack's account and region, as cdk-nag shows it. */
export const shownArn = (scope: IConstruct, service: string, resource: string): string => {
  const { account, partition, region } = Stack.of(scope);
  const shown = (value: string, parameter: string) => (Token.isUnresolved(value) ? `<AWS::${parameter}>` : value);
  return `arn:${shown(partition, 'Partition')}:${service}:${shown(region, 'Region')}:${shown(account, 'AccountId')}:${resource}`;
};

/** Tells cdk-nag that a role may use resources by a pattern. @param resource as cdk-nag shows it */
export const acknowledgeWildcard = (role: IConstruct, resource: string, reason: string): void =>
  Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
