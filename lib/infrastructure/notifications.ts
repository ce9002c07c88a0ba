import { Annotations, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import type { Conditions } from '../../functions/notify/conditions.ts';
import { fanOutSettings, notifySettings } from '../../functions/notify/notify-settings.ts';
import type { Target, TargetKind } from '../../functions/notify/target.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import { isToken } from './cdk-token.ts';
import { Confirmation } from './confirmation.ts';
import { confirms } from './confirmation-settings.ts';
import { readingOfStream, ServiceFunction, secretArnOf } from './functions.ts';
import { Mail } from './mail.ts';
import { messageQueue, messageTimeout, takeMessages } from './message-queue.ts';
import { deployedConditions, warningsOfConditions, withNone } from './notification-conditions.ts';
import { type NotificationSettings, targetsOf } from './notification-settings.ts';
import { kindOfTarget, type TargetSettings, targetName } from './notification-targets.ts';
import type { DeployedTarget } from './outputs.ts';
import { senderAddress, senderHeader } from './sender.ts';
import type { Environment } from './settings.ts';

/**
 * How long `fan-out` retries a record of the stream. The stream drops records after 24 hours, and no failure destination gets
 * those: so Lambda has to give up before.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export const maxRecordAge = Duration.hours(20);

/** One address or webhook, and the queue with its messages. */
export interface NotificationTarget {
  readonly name: string;
  readonly kind: TargetKind;
  /** The name in alarms. */
  readonly label: string;
  /** The address in outputs. */
  readonly safeAddress: string;
  /** As `fan-out` reads them. */
  readonly conditions: Conditions;
  readonly queue: Queue;
  /** The target, as `notify` reads it from its variables. */
  readonly forNotify: Target;
  /** The ARN of the secret that `notify` reads, as in policies. */
  readonly secretArn?: string;
}

interface NotificationsProps {
  readonly environment: Environment;
  readonly settings: NotificationSettings;
  readonly contacts: TableV2;
  /** The stream of the contacts table, with new images. */
  readonly streamArn: string;
  readonly bundles: string;
}

/** The secret that signs the notifications of a target. */
const signingSecret = (scope: Construct, label: string): Secret => {
  const secret = new Secret(scope, 'Secret', {
    description: `Signs the ${label}; without the prefix whsec_`,
    // 44 letters and digits decode as base64 to 33 bytes.
    generateSecretString: { passwordLength: 44, excludePunctuation: true },
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'The receiver of the webhook must learn a new secret within a day. Automatic rotation cannot do that: a staff command rotates it.',
  });
  return secret;
};

/**
 * Notifies targets of each new contact request, and addresses that want spam of each one marked as spam. The function `fan-out`
 * reads the table's stream and sends a message to the queue of each target. The function `notify` delivers it. SQS retries
 * (docs/notifications.md).
 */
export class Notifications extends Construct {
  readonly targets: readonly NotificationTarget[];
  /** The dead-letter queue of all targets. */
  readonly deadLetters: Queue;
  /** The failure destination of the stream: records that `fan-out` failed to process for `maxRecordAge`. */
  readonly fanOutFailures: Queue;
  readonly fanOut: ServiceFunction;
  readonly notify: ServiceFunction;
  /** Absent without mails. */
  readonly mail?: Mail;
  /** Absent if no visitor gets a confirmation. */
  readonly confirmation?: Confirmation;
  readonly paused: boolean;

  constructor(scope: Construct, id: string, props: NotificationsProps) {
    super(scope, id);
    const { environment, settings } = props;
    const { from, emails, existingIdentities, paused } = settings;
    this.paused = paused;

    this.deadLetters = this.#queueWithoutRedrive('DeadLetters', 'This is the dead-letter queue itself.');
    this.fanOutFailures = this.#queueWithoutRedrive(
      'FanOutFailures',
      'This is the failure destination of the stream: Lambda writes to it, and only people read it.',
    );
    this.targets = targetsOf(settings).map((target) => this.#target(target, environment));
    for (const warning of warningsOfConditions(environment)) {
      Annotations.of(this).addWarningV2('contact-service:conditions', warning);
    }

    if (from !== undefined && (emails.length > 0 || confirms(environment))) {
      const mail = new Mail(this, 'Mail', {
        from: senderAddress(from),
        to: emails.map(({ to }) => to),
        existingIdentities,
        environmentName: environment.name,
      });
      if (emails.length > 0) this.mail = mail;
    }
    if (from !== undefined && confirms(environment)) {
      const { deadLetters } = this;
      this.confirmation = new Confirmation(this, 'Confirmation', { ...props, from, deadLetters });
    }
    this.fanOut = this.#fanOut(props);
    this.notify = this.#notify(props);
  }

  /** The stack's outputs for the staff command. Names of forms cannot be here: CloudFormation returns `?` for an umlaut. */
  outputs(): Record<string, string> {
    return {
      NotifyFunction: this.notify.functionName,
      DeadLetters: this.deadLetters.queueUrl,
      FanOutFailures: this.fanOutFailures.queueUrl,
      FanOutFunction: this.fanOut.functionName,
      ...this.confirmation?.outputs(),
      ...Object.fromEntries(
        this.targets.map(({ name, kind, safeAddress, queue, secretArn }) => [
          `Notify${name}`,
          Stack.of(this).toJsonString({
            name,
            kind,
            address: safeAddress,
            queue: queue.queueUrl,
            secret: kindOfTarget(kind).secret === 'generated' ? secretArn : undefined,
          } satisfies DeployedTarget & { readonly queue: string }),
        ]),
      ),
    };
  }

  /** A queue without a dead-letter queue. */
  #queueWithoutRedrive(id: string, reason: string): Queue {
    const queue = new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason });
    return queue;
  }

  /** A queue of its own, so that no target waits for another. */
  #target(settings: TargetSettings, environment: Environment): NotificationTarget {
    const { kind, address } = settings;
    const conditions = deployedConditions(settings.conditions, environment);
    // The text of a token can change with each synthesis; what it resolves to, such as a reference, does not.
    const name = targetName({
      ...settings,
      address: isToken(address) ? JSON.stringify(Stack.of(this).resolve(address)) : address,
    });
    const description = kindOfTarget(kind);
    const label = description.label(address);
    const scope = new Construct(this, name);
    const queue = messageQueue(scope, 'Queue', this.deadLetters, Duration.days(1));
    const target = { name, kind, label, safeAddress: description.safeAddress(address), conditions, queue };
    if (description.secret === 'generated') {
      const { secretArn } = signingSecret(scope, label);
      return { ...target, forNotify: description.forNotify(address, secretArn), secretArn };
    }
    const forNotify = description.forNotify(address);
    return description.secret === 'stored'
      ? { ...target, forNotify, secretArn: secretArnOf(scope, 'Secret', address) }
      : { ...target, forNotify };
  }

  #fanOut({ environment, streamArn, bundles }: NotificationsProps): ServiceFunction {
    const fanOut = new ServiceFunction(this, 'FanOut', {
      handler: 'fan-out',
      bundles,
      description: 'Sends a message for each new contact request to the queue of each target',
      memorySize: 256,
      timeout: Duration.seconds(30),
      logRetention: environment.logRetentionDays,
      variables: toVariables(fanOutSettings, {
        environment: environment.name,
        queues: Object.fromEntries(
          this.targets.map(({ name, queue, conditions }) => [name, { url: queue.queueUrl, ...conditions }]),
        ),
        confirmationQueue: this.confirmation?.queue.queueUrl,
      }),
    });
    fanOut.addToRolePolicy(readingOfStream(streamArn));
    fanOut.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:SendMessage'],
        resources: [
          this.fanOutFailures,
          ...this.targets.map(({ queue }) => queue),
          ...(this.confirmation ? [this.confirmation.queue] : []),
        ].map(({ queueArn }) => queueArn),
      }),
    );
    const { inbox, spam } = contactsTable.listPartitions;
    const partitions = this.targets.some(({ conditions }) => conditions.spam) ? [inbox, spam] : [inbox];
    new EventSourceMapping(this, 'Stream', {
      target: fanOut,
      eventSourceArn: streamArn,
      enabled: !this.paused,
      // `LATEST` would miss the records that arrive while the mapping starts.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 10,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge,
      retryAttempts: -1,
      // The CDK's own destination would grant more than sending.
      onFailure: { bind: () => ({ destination: this.fanOutFailures.queueArn }) },
      filters: [
        FilterCriteria.filter({
          // `MODIFY`: an expired item was replaced, or a contact request released from spam. fan-out skips other changes.
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: {
            NewImage: {
              // Always those of the inbox: the alarm fan-out-idle expects an invocation after each.
              [contactsTable.listIndex.partitionKey]: { S: FilterRule.or(...partitions) },
            },
          },
        }),
      ],
    });
    return fanOut;
  }

  #notify({ environment, settings, contacts, bundles }: NotificationsProps): ServiceFunction {
    const notify = new ServiceFunction(this, 'Notify', {
      handler: 'notify',
      bundles,
      description: 'Notifies each target of contact requests',
      memorySize: 512,
      timeout: messageTimeout,
      logRetention: environment.logRetentionDays,
      variables: toVariables(notifySettings, {
        environment: environment.name,
        targets: Object.fromEntries(this.targets.map(({ name, forNotify }) => [name, forNotify])),
        spamTargets: this.targets.flatMap(({ name, conditions }) => (conditions.spam ? [name] : [])),
        mailFrom: this.mail && settings.from && senderHeader(settings.from),
        configurationSet: this.mail?.configurationSetName,
        subjects: Object.entries(environment.forms).flatMap(([name, { subject }]) =>
          subject === undefined ? [] : [[name, subject] satisfies [string, string]],
        ),
        siteLanguages: environment.sites
          .filter(({ language }) => language !== 'en')
          .flatMap(({ origin, language }) =>
            withNone([origin], environment).map((each): [string, string] => [each, language]),
          ),
        inboxOrigin: environment.inboxOrigins[0],
      }),
    });
    notify.access(contacts, { variable: contactsTable.variable, actions: ['GetItem'] });
    const secretArns = this.targets.flatMap(({ secretArn }) => secretArn ?? []);
    if (secretArns.length > 0) {
      notify.addToRolePolicy(
        new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: secretArns }),
      );
    }
    if (this.mail) notify.addToRolePolicy(this.mail.sendStatement());
    takeMessages(this, notify, Object.fromEntries(this.targets.map(({ name, queue }) => [`${name}Messages`, queue])));
    return notify;
  }
}
