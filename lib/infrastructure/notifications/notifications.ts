import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { ApiDestination, Authorization, Connection } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { fieldNames } from '../../../functions/contacts/contact.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';

/** `MODIFY` is one that took the place of an expired one, or that staff released from spam: nothing else changes an item. */
const newAndNoSpam = JSON.stringify({
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: {
    NewImage: { [contactsTable.listIndex.partitionKey]: { S: [{ prefix: contactsTable.listPartitions.inbox }] } },
  },
});

/**
 * The contact request as JSON, one field a line. Pipes escapes what it puts into a JSON string, so that any message
 * fits; the price is that its line breaks are written `\n`, and that an absent field is an empty string.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html
 */
const contactRequest = JSON.stringify(
  Object.fromEntries([...fieldNames, 'createdAt', 'id'].map((name) => [name, `<$.dynamodb.NewImage.${name}.S>`])),
  null,
  2,
);

/** How long a stream keeps a record, and so how long a target is tried. */
const day = Duration.days(1);

/** The header by which a webhook knows that a request comes from this service. */
const webhookKeyHeader = 'X-Api-Key';

export interface NotificationsProps {
  /** The stream of the contacts table, with new images. */
  readonly streamArn: string;
  readonly emails: readonly string[];
  readonly webhookUrl?: string | undefined;
  /** The sender's name of the mails. */
  readonly displayName: string;
}

/**
 * Tells people (by e-mail, through a topic) and a program (a webhook) of each new contact request that is not spam:
 * from the table's stream, by a pipe for each of the two. What is not taken is tried again for a day; then the
 * dead-letter queue gets a message about it.
 */
export class Notifications extends Construct {
  readonly deadLetters: Queue;
  readonly pipes: readonly CfnPipe[];
  /** The secret with the webhook's key, if there is a webhook. */
  readonly webhookKey: Secret | undefined;

  constructor(scope: Construct, id: string, { streamArn, emails, webhookUrl, displayName }: NotificationsProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is the dead-letter queue: the pipes and the e-mail subscriptions put into it what they gave up.',
    });

    const pipe = (pipeId: string, target: string, action: string) => {
      const role = new Role(this, `${pipeId}Role`, {
        assumedBy: new ServicePrincipal('pipes.amazonaws.com', {
          conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
        }),
        // Inline, so that the role can do all of it before the pipe is made, which tries.
        inlinePolicies: {
          Pipe: new PolicyDocument({
            statements: [
              // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-permissions.html#pipes-perms-ddb
              new PolicyStatement({
                actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
                  (name) => `dynamodb:${name}`,
                ),
                resources: [streamArn],
              }),
              new PolicyStatement({ actions: [action], resources: [target] }),
              new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.deadLetters.queueArn] }),
            ],
          }),
        },
      });
      return new CfnPipe(this, pipeId, {
        roleArn: role.roleArn,
        source: streamArn,
        sourceParameters: {
          filterCriteria: { filters: [{ pattern: newAndNoSpam }] },
          dynamoDbStreamParameters: {
            // `LATEST` would miss what comes while the pipe starts.
            startingPosition: 'TRIM_HORIZON',
            batchSize: 1,
            // One that the target never takes holds up the tenth of the others that shares its lane, not all.
            parallelizationFactor: 10,
            maximumRecordAgeInSeconds: day.toSeconds(),
            maximumRetryAttempts: -1,
            deadLetterConfig: { arn: this.deadLetters.queueArn },
          },
        },
        target,
        targetParameters: { inputTemplate: contactRequest },
      });
    };

    const pipes: CfnPipe[] = [];

    if (emails.length > 0) {
      const topic = new Topic(this, 'Emails', {
        displayName,
        enforceSSL: true,
        masterKey: Alias.fromAliasName(this, 'SnsKey', 'alias/aws/sns'),
      });
      for (const email of emails) {
        topic.addSubscription(new EmailSubscription(email, { deadLetterQueue: this.deadLetters }));
      }
      pipes.push(pipe('EmailPipe', topic.topicArn, 'sns:Publish'));
    }

    if (webhookUrl) {
      this.webhookKey = new Secret(this, 'WebhookKey', {
        description: `What the webhook of ${displayName} gets in the header ${webhookKeyHeader}`,
        generateSecretString: { passwordLength: 43, excludePunctuation: true },
      });
      Validations.of(this.webhookKey).acknowledge({
        id: 'AwsSolutions-SMG4',
        reason:
          'The other side must learn a new key at the same moment, which no rotation by the clock can arrange; docs/operation.md says how it is changed by hand.',
      });
      const destination = new ApiDestination(this, 'Webhook', {
        endpoint: webhookUrl,
        connection: new Connection(this, 'WebhookConnection', {
          authorization: Authorization.apiKey(webhookKeyHeader, this.webhookKey.secretValue),
        }),
      });
      pipes.push(pipe('WebhookPipe', destination.apiDestinationArn, 'events:InvokeApiDestination'));
    }

    this.pipes = pipes;
  }
}
