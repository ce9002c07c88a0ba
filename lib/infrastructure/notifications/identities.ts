import { Stack, Token, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';
import { identitiesOf } from './identity-names.ts';
import { digest, type TargetSettings } from './target-settings.ts';

type EmailTarget = Extract<TargetSettings, { readonly kind: 'email' }>;

/**
 * An identity of Amazon SES for each address: it mails a link that confirms the address. Recipients have one, too, since an
 * account that is still in the sandbox sends to confirmed ones only.
 * https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html
 */
export const defineIdentities = (scope: Construct, targets: readonly EmailTarget[]): void => {
  for (const address of new Set(targets.flatMap(({ from, to }) => [from, to]))) {
    new EmailIdentity(scope, `Identity${digest(address)}`, { identity: Identity.email(address) });
  }
};

/**
 * Lets a function mail from the one address to the other. SES asks for the permission on whichever identity it goes by: of
 * the sender and, in the sandbox, of the recipient as well (https://github.com/GSA/data.gov/issues/3810).
 */
export const allowMails = (lambda: ServiceFunction, { from, to }: EmailTarget, existingIdentities: boolean): void => {
  const stack = Stack.of(lambda);
  const arn = (resource: string, resourceName: string) => stack.formatArn({ service: 'ses', resource, resourceName });
  lambda.addToRolePolicy(
    new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [
        ...[...new Set([from, to].flatMap(identitiesOf))].map((identity) => arn('identity', identity)),
        ...(existingIdentities ? [arn('configuration-set', '*')] : []),
      ],
      // https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
      conditions: {
        StringEquals: { 'ses:FromAddress': from },
        'ForAllValues:StringEquals': { 'ses:Recipients': to },
      },
    }),
  );
  if (!existingIdentities || !lambda.role) return;
  const known = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  const partition = known(stack.partition, 'Partition');
  const region = known(stack.region, 'Region');
  const account = known(stack.account, 'AccountId');
  Validations.of(lambda.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:${partition}:ses:${region}:${account}:configuration-set/*]`,
    reason:
      'An identity that others made may have a default configuration set, on which SES asks for the permission, too; its name is not known here. Sender and recipient are bound all the same.',
  });
};
