import { Aws, Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { contactsTable } from '../../../functions/contacts/table.ts';
import type { Environment } from '../settings.ts';
import { fullNameOf } from '../stack-name.ts';
import { defineIdentities } from './identities.ts';
import { NotificationTarget } from './target.ts';
import { targetsOf } from './target-settings.ts';

/** `MODIFY` is one that took the place of an expired one, or that staff released from spam: nothing else changes an item. */
const newAndNoSpam = JSON.stringify({
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: {
    NewImage: { [contactsTable.listIndex.partitionKey]: { S: [{ prefix: contactsTable.listPartitions.inbox }] } },
  },
});

export interface NotificationsProps {
  readonly environment: Environment;
  readonly settings: NonNullable<Environment['notifications']>;
  readonly contacts: TableV2;
  /** The stream of the contacts table, with new images. */
  readonly streamArn: string;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
}

/**
 * Tells of each new contact request that is not spam: from the table's stream a pipe takes each record as it is to a
 * topic, the topic to the queue of each target, whose function tells it (docs/decisions/0023).
 */
export class Notifications extends Construct {
  readonly targets: readonly NotificationTarget[];
  /** Absent while the environment tells nobody. */
  readonly pipe?: CfnPipe;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: NotificationsProps) {
    super(scope, id);
    const { environment, settings, contacts, streamArn, bundles } = props;

    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is the dead-letter queue: the functions, the queues and the pipe put into it what they gave up.',
    });

    const topic = new Topic(this, 'Topic', {
      enforceSSL: true,
      masterKey: Alias.fromAliasName(this, 'SnsKey', 'alias/aws/sns'),
    });
    const targets = targetsOf(settings);
    const { existingIdentities, paused } = settings;
    if (!existingIdentities) {
      defineIdentities(
        this,
        targets.filter((target) => target.kind === 'email'),
      );
    }
    const common = {
      existingIdentities,
      environmentName: fullNameOf(environment),
      logRetention: environment.logRetentionDays,
      bundles,
      contacts,
      topic,
      deadLetters: this.deadLetters,
    };
    this.targets = targets.map((target) => new NotificationTarget(this, { ...common, settings: target }));

    // One that stands still would hold on to a stream that goes with its table.
    if (paused) return;
    this.pipe = this.#pipe(streamArn, topic);
    // What is published before a queue is subscribed never reaches it.
    this.pipe.node.addDependency(...this.targets.map(({ subscription }) => subscription));
  }

  #pipe(streamArn: string, topic: Topic): CfnPipe {
    const role = new Role(this, 'PipeRole', {
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
            new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn] }),
            new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.deadLetters.queueArn] }),
          ],
        }),
      },
    });
    return new CfnPipe(this, 'Pipe', {
      roleArn: role.roleArn,
      source: streamArn,
      sourceParameters: {
        filterCriteria: { filters: [{ pattern: newAndNoSpam }] },
        dynamoDbStreamParameters: {
          // `LATEST` would miss what comes while the pipe starts.
          startingPosition: 'TRIM_HORIZON',
          batchSize: 1,
          parallelizationFactor: 10,
          // As long as a stream keeps a record.
          maximumRecordAgeInSeconds: Duration.days(1).toSeconds(),
          maximumRetryAttempts: -1,
          deadLetterConfig: { arn: this.deadLetters.queueArn },
        },
      },
      target: topic.topicArn,
    });
  }
}
