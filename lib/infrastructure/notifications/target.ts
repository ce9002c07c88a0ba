import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic, Subscription } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { contactsTable } from '../../../functions/contacts/table.ts';
import type { NotifyVariables, Target } from '../../../functions/notify/notify-variables.ts';
import { notifyHandler } from '../handlers.ts';
import { notifyMemorySize } from '../memory-size.ts';
import { ServiceFunction } from '../service-function.ts';
import { allowMails } from './identities.ts';
import { nameOf, shownAddressOf, type TargetSettings, wordsOf } from './target-settings.ts';

/** For ten seconds of a receiver's time, and what is read and written before and after. */
const timeout = Duration.seconds(30);

export interface NotificationTargetProps {
  readonly settings: TargetSettings;
  readonly existingIdentities: boolean;
  readonly environmentName: string;
  readonly logRetention: RetentionDays;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
  readonly contacts: TableV2;
  /** Where every record of the stream is published. */
  readonly topic: ITopic;
  readonly deadLetters: IQueue;
}

/**
 * What tells one target: a queue of its own, so that it waits for no other and no other for it, and a function of its
 * own, which may do nothing for another target.
 */
export class NotificationTarget extends Construct {
  readonly name: string;
  /** As people know it: for alarms and graphs. */
  readonly words: string;
  readonly queue: Queue;
  readonly subscription: Subscription;
  readonly function: ServiceFunction;
  /** What the staff command has to know of it, as JSON. */
  readonly output: string;

  constructor(scope: Construct, props: NotificationTargetProps) {
    const { settings, existingIdentities, environmentName, logRetention, bundles, contacts, topic, deadLetters } =
      props;
    const name = nameOf(settings);
    super(scope, name);
    this.name = name;
    this.words = wordsOf(settings);

    const queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Six times the function's: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      // The function gives a notification up itself, after a day: this is for one that makes it crash each time.
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 50 },
    });
    this.queue = queue;
    this.subscription = topic.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true }));

    const { target, secret } = this.#withSecret(settings);
    const variables: NotifyVariables = {
      ENVIRONMENT: environmentName,
      TARGET: target,
      TARGET_NAME: name,
      QUEUE_URL: queue.queueUrl,
      DEAD_LETTERS_URL: deadLetters.queueUrl,
    };
    this.function = new ServiceFunction(this, 'Function', {
      handler: notifyHandler,
      bundles,
      description: 'Tells one target of each contact request',
      memorySize: notifyMemorySize,
      timeout,
      logRetention,
      // Nothing before it decides how much is traced, and Lambda's own rate cannot be set:
      // https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html
      isTraced: false,
      variables,
    });
    this.function.access(contacts, { variable: contactsTable.variable, actions: ['GetItem'] });
    const allow = (actions: string[], resource: string) =>
      this.function.addToRolePolicy(new PolicyStatement({ actions, resources: [resource] }));
    // The first three are Lambda's, which reads the queue as this role; the function sets when it tries again.
    allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'],
      queue.queueArn,
    );
    allow(['sqs:SendMessage'], deadLetters.queueArn);
    if (secret) allow(['secretsmanager:GetSecretValue'], secret.secretArn);
    if (settings.kind === 'email') allowMails(this.function, settings, existingIdentities);

    new EventSourceMapping(this, 'EventSource', {
      target: this.function,
      eventSourceArn: queue.queueArn,
      batchSize: 1,
      reportBatchItemFailures: true,
      // The least that there can be: a burst of contact requests is to leave the account's concurrency to the API.
      maxConcurrency: 2,
    });

    this.output = Stack.of(this).toJsonString({
      name,
      kind: settings.kind,
      address: shownAddressOf(settings),
      function: this.function.functionName,
      queue: queue.queueUrl,
      ...(secret && { secret: secret.secretArn }),
    });
  }

  /** The target as its function is told, and the secret of one that has one. */
  #withSecret(settings: TargetSettings): { readonly target: Target; readonly secret?: Secret } {
    if (settings.kind !== 'standard') return { target: settings };
    const secret = new Secret(this, 'Secret', {
      description: `What ${this.words} is signed with, without the prefix whsec_`,
      // Letters and digits: the base64 of 33 bytes.
      generateSecretString: { passwordLength: 44, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Whoever receives the webhook must learn a new secret within a day, which no rotation by the clock can arrange: a staff command rotates it.',
    });
    return { target: { ...settings, secretArn: secret.secretArn }, secret };
  }
}
