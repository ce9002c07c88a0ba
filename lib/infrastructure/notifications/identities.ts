import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
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

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/** Lets a function mail from the one address to the other. */
export const maySend = (stack: Stack, { from, to }: EmailTarget): PolicyStatement =>
  new PolicyStatement({
    actions: ['ses:SendEmail'],
    // SES asks for the permission on the identity that it finds: the address or, where only that is confirmed, its
    // domain; in the sandbox on the recipient's, too.
    resources: [...new Set([from, domainOf(from), to, domainOf(to)])].map((identity) =>
      stack.formatArn({ service: 'ses', resource: 'identity', resourceName: identity }),
    ),
    // https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
    conditions: {
      StringEquals: { 'ses:FromAddress': from },
      'ForAllValues:StringEquals': { 'ses:Recipients': to },
    },
  });
