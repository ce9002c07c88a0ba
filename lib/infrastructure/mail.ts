import { Annotations, Stack, Token } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  CloudWatchDimensionSource,
  ConfigurationSet,
  ConfigurationSetEventDestination,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { digest, identitiesOf } from './notification-targets.ts';

/**
 * Regions in which CloudFormation has no resource of SES, neither an identity nor a configuration set. AWS publishes what each
 * region has at https://schema.cloudformation.<region>.amazonaws.com/CloudformationSchema.zip; cfn-lint 1.58.0 (2026-11) lists it:
 * https://github.com/aws-cloudformation/cfn-lint/tree/main/src/cfnlint/data/schemas/providers
 */
const regionsWithoutMail: readonly string[] = [
  'ap-east-1',
  'ap-east-2',
  'ap-southeast-4',
  'ap-southeast-6',
  'ap-southeast-7',
  'cn-north-1',
  'cn-northwest-1',
  'eu-south-2',
  'mx-central-1',
];

/** No error: AWS adds types to regions, sooner than somebody looks at the list. */
const warnOfRegion = (scope: Construct): void => {
  const own = Stack.of(scope).region;
  // The CDK's command line sets the variable to the region of the credentials, which a stack without one is deployed to.
  const region = Token.isUnresolved(own) ? process.env['CDK_DEFAULT_REGION'] : own;
  if (region === undefined || !regionsWithoutMail.includes(region)) return;
  Annotations.of(scope).addWarningV2(
    'contact-service:mail-region',
    `CloudFormation has no resources of Amazon SES in ${region}, so notifications.emails would stop the deployment. Use another region, or webhooks and chats: see docs/email.md.`,
  );
};

interface MailProps {
  /** An address without a name. */
  readonly from: string;
  readonly to: readonly string[];
  /** The identities are verified already: the stack creates none. */
  readonly existingIdentities: boolean;
  /** The dimension `Environment` of its metrics. */
  readonly environmentName: string;
}

/** The resources of Amazon SES for mails from one address to several others. */
export class Mail extends Construct {
  readonly configurationSetName: string;
  readonly #props: MailProps;

  constructor(scope: Construct, id: string, props: MailProps) {
    super(scope, id);
    this.#props = props;
    const { from, to, existingIdentities, environmentName } = props;
    warnOfRegion(this);
    if (!existingIdentities) {
      // Recipients, too: in the sandbox, SES sends only to verified addresses. It mails a link to each.
      // https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html
      for (const address of new Set([from, ...to])) {
        new EmailIdentity(this, `Identity${digest(address)}`, { identity: Identity.email(address) });
      }
    }

    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet');
    this.configurationSetName = configurationSet.configurationSetName;
    // SES accepts mails that it does not deliver; one to a suppressed address counts as a bounce. The events go to CloudWatch,
    // since events to SNS can hold the visitor's address. SES rejects only viruses, and these mails have no attachments.
    new ConfigurationSetEventDestination(this, 'Events', {
      configurationSet,
      destination: EventDestination.cloudWatchDimensions([
        // No email has this tag, so the default applies to all.
        { source: CloudWatchDimensionSource.MESSAGE_TAG, name: 'Environment', defaultValue: environmentName },
      ]),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
  }

  /**
   * Allows only these mails. SES checks the permission on the configuration set, on the identity that covers the sender and,
   * in the sandbox, on that of the recipient (https://github.com/GSA/data.gov/issues/3810).
   */
  sendStatement(): PolicyStatement {
    const { from, to } = this.#props;
    const identities = [...new Set([from, ...to].flatMap(identitiesOf))];
    const arn = (resource: string, resourceName: string) =>
      Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
    return new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [
        ...identities.map((identity) => arn('identity', identity)),
        arn('configuration-set', this.configurationSetName),
      ],
      // https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
      conditions: {
        StringEquals: { 'ses:FromAddress': from },
        'ForAllValues:StringEquals': { 'ses:Recipients': to },
      },
    });
  }
}
