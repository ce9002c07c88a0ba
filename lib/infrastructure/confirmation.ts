import { Aws, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, Billing, TableV2 as Table, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import {
  CfnTemplate,
  CloudWatchDimensionSource,
  ConfigurationSet,
  ConfigurationSetEventDestination,
  EmailSendingEvent,
  EventDestination,
} from 'aws-cdk-lib/aws-ses';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { confirmations as builtIn } from '../../functions/languages/confirmations.ts';
import {
  confirmationsTable,
  confirmSettings,
  stopSettings,
  templateKey,
} from '../../functions/notify/confirm-settings.ts';
import { confirmationEmail } from '../../functions/notify/confirmation-text.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import type { ConfirmationSetting } from './confirmation-settings.ts';
import { ServiceFunction } from './functions.ts';
import { messageQueue, messageTimeout, takeMessages } from './message-queue.ts';
import type { NotificationSettings } from './notification-settings.ts';
import { digest } from './notification-targets.ts';
import { senderAddress, senderHeader } from './sender.ts';
import type { Environment } from './settings.ts';
import { acknowledgeWildcard, shownArn } from './wildcards.ts';

/** For how long a confirmation is tried again: a visitor who waits longer has stopped waiting. */
export const retriesOfConfirmations = Duration.minutes(15);

/** The dimension of what SES publishes about confirmations. Those about notifications have another. */
export const confirmationDimension = 'Confirmations';

interface ConfirmationProps {
  readonly environment: Environment;
  readonly settings: NotificationSettings;
  readonly from: string;
  readonly contacts: TableV2;
  readonly deadLetters: Queue;
  readonly bundles: string;
}

type LanguageTag = keyof typeof builtIn;

const wordsIn = (setting: ConfirmationSetting, part: 'subject' | 'text', language: LanguageTag): string | undefined => {
  const given = typeof setting === 'object' ? setting[part] : undefined;
  return typeof given === 'string' ? given : given?.[language];
};

/** The words of a confirmation: the form's, else the environment's, else our own. */
const wordsOf = (language: LanguageTag, environment: Environment, own: ConfirmationSetting = true) => {
  const word = (part: 'subject' | 'text') =>
    wordsIn(own, part, language) ??
    wordsIn(environment.confirmation, part, language) ??
    builtIn[language].confirmation[part];
  return { subject: word('subject'), text: word('text') };
};

/**
 * Confirms to visitors by email that their contact request arrived. Of all that they wrote, it can read only the address, and it
 * can send only the words of templates: held by the role, not by code (docs/confirmation.md).
 */
export class Confirmation extends Construct {
  readonly queue: Queue;
  readonly confirm: ServiceFunction;
  /** The action of alarms: it stops confirmations. */
  readonly stop: ServiceFunction;
  readonly #configurationSetName: string;
  readonly #props: ConfirmationProps;

  constructor(scope: Construct, id: string, props: ConfirmationProps) {
    super(scope, id);
    this.#props = props;
    this.queue = messageQueue(this, 'Queue', props.deadLetters, retriesOfConfirmations);
    this.#configurationSetName = this.#configurationSet();
    this.confirm = this.#confirm();
    this.stop = this.#stop();
  }

  /** The stack's outputs for the staff command. */
  outputs(): Record<string, string> {
    return { ConfirmFunction: this.confirm.functionName, ConfirmationSet: this.#configurationSetName };
  }

  /** Lets an alarm stop confirmations. */
  stopAt(alarm: Alarm): void {
    this.stop.addPermission(`By${alarm.node.id}`, {
      principal: new ServicePrincipal('lambda.alarms.cloudwatch.amazonaws.com'),
      sourceAccount: Aws.ACCOUNT_ID,
      sourceArn: alarm.alarmArn,
    });
    alarm.addAlarmAction({ bind: () => ({ alarmActionArn: this.stop.functionArn }) });
  }

  /**
   * A set of its own, so that it can be stopped, and counts apart. It says nothing of `sendingEnabled`: a deployment would turn on
   * again what an alarm has stopped.
   */
  #configurationSet(): string {
    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet');
    new ConfigurationSetEventDestination(this, 'Events', {
      configurationSet,
      destination: EventDestination.cloudWatchDimensions([
        {
          source: CloudWatchDimensionSource.MESSAGE_TAG,
          name: confirmationDimension,
          defaultValue: this.#props.environment.name,
        },
      ]),
      events: [EmailSendingEvent.SEND, EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    return configurationSet.configurationSetName;
  }

  /** The templates for each language of the sites: one, and one more for each form with words of its own. @returns their names by key */
  #templates(languages: readonly string[]): Map<string, string> {
    const { environment } = this.#props;
    const stack = Stack.of(this);
    const named = new Map<string, string>();
    const made = new Map<string, CfnTemplate>();
    const add = (language: string, form?: string) => {
      const tag = Object.keys(builtIn).find((each): each is LanguageTag => each === language);
      if (tag === undefined) throw new Error(`There are no words in ${language}`);
      const own = form === undefined ? undefined : environment.forms[form]?.confirmation;
      const { subject, text, html } = confirmationEmail(wordsOf(tag, environment, own), builtIn[tag]);
      // Named by its words: a deployment makes the new template before the function asks for it.
      const words = digest(JSON.stringify([stack.stackName, subject, text, html]));
      const templateName = `${environment.name}-${words}`;
      named.set(templateKey(language, form), templateName);
      if (made.has(words)) return;
      const template = new CfnTemplate(this, `Template${words}`, {
        template: { templateName, subjectPart: subject, textPart: text, htmlPart: html },
      });
      // One after the other, since SES makes one a second: https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateTemplate.html
      const last = [...made.values()].at(-1);
      if (last) template.addDependency(last);
      made.set(words, template);
    };
    const formsWithWords = Object.entries(environment.forms).flatMap(([name, { confirmation: own }]) =>
      typeof own === 'object' ? [name] : [],
    );
    for (const language of languages) {
      add(language);
      for (const form of formsWithWords) add(language, form);
    }
    return named;
  }

  #confirm(): ServiceFunction {
    const { environment, settings, from, contacts, bundles } = this.#props;
    const { emails, replyTo = emails.find(({ spam }) => !spam)?.to } = settings;
    const sites = environment.sites.map(({ origin, language }): [string, string] => [origin, language]);
    // Without a site, a contact request is of the only one. If there are several, an email can name only its sender's domain.
    const withoutSite =
      sites.length === 1 ? undefined : senderAddress(from).slice(senderAddress(from).lastIndexOf('@') + 1);
    const languages = [...sites.map(([, language]) => language), ...(withoutSite === undefined ? [] : ['en'])];
    const templates = this.#templates([...new Set(languages)]);
    const secret = new Secret(this, 'AddressKey', {
      description: 'Keys the hashes by which an address gets one confirmation a day',
      generateSecretString: { passwordLength: 44, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Another key would only let each address have a second confirmation within the day.',
    });
    const own = [senderAddress(from), ...emails.map(({ to }) => to), ...(replyTo === undefined ? [] : [replyTo])];
    const confirm = new ServiceFunction(this, 'Confirm', {
      handler: 'confirm',
      bundles,
      description: 'Confirms to visitors by email that their contact requests arrived',
      memorySize: 256,
      timeout: messageTimeout,
      logRetention: environment.logRetentionDays,
      variables: toVariables(confirmSettings, {
        environment: environment.name,
        mailFrom: senderHeader(from),
        replyTo,
        configurationSet: this.#configurationSetName,
        addressKey: secret.secretArn,
        ownAddresses: [...new Set(own)],
        perHour: environment.confirmationsPerHour,
        sites,
        withoutSite,
        templates: [...templates],
      }),
    });
    confirm.access(contacts, {
      variable: contactsTable.variable,
      actions: ['GetItem'],
      attributes: { GetItem: contactsTable.readByConfirm },
    });
    confirm.access(this.#table(), { variable: confirmationsTable.variable, actions: ['UpdateItem'] });
    confirm.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
    );
    confirm.addToRolePolicy(this.#sendStatement([...new Set(templates.values())]));
    acknowledgeWildcard(
      confirm.role ?? this,
      shownArn(this, 'ses', 'identity/*'),
      'Visitors have any address, and in its sandbox, SES checks the permission on the identity of the recipient, too. A condition allows one sender only.',
    );
    takeMessages(this, confirm, { Messages: this.queue });
    return confirm;
  }

  /** Hashes and counters, all of which expire within a day. */
  #table(): TableV2 {
    const table = new Table(this, 'Table', {
      partitionKey: { name: confirmationsTable.partitionKey, type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: confirmationsTable.expiry,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'All items expire within a day. Without them, an address could get a second confirmation that day.',
    });
    return table;
  }

  /**
   * Allows only the templates, from the one address. SES checks the permission on the template, the configuration set, the
   * identity of the sender and, in the sandbox, that of the recipient, which can be any.
   * https://docs.aws.amazon.com/service-authorization/latest/reference/list_ses.html
   * https://github.com/aws/serverless-application-model/issues/2844, https://github.com/aws/aws-sdk-js-v3/issues/2061
   */
  #sendStatement(templates: readonly string[]): PolicyStatement {
    const arn = (resource: string, resourceName: string) =>
      Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
    return new PolicyStatement({
      actions: ['ses:SendTemplatedEmail'],
      resources: [
        arn('identity', '*'),
        arn('configuration-set', this.#configurationSetName),
        ...templates.map((template) => arn('template', template)),
      ],
      conditions: { StringEquals: { 'ses:FromAddress': senderAddress(this.#props.from) } },
    });
  }

  #stop(): ServiceFunction {
    const { environment, bundles } = this.#props;
    const stop = new ServiceFunction(this, 'Stop', {
      handler: 'stop-confirmations',
      bundles,
      description: 'Stops confirmations when too many bounce or are marked as spam',
      memorySize: 256,
      logRetention: environment.logRetentionDays,
      variables: toVariables(stopSettings, { configurationSet: this.#configurationSetName }),
    });
    stop.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:PutConfigurationSetSendingOptions'],
        resources: [
          Stack.of(this).formatArn({
            service: 'ses',
            resource: 'configuration-set',
            resourceName: this.#configurationSetName,
          }),
        ],
      }),
    );
    return stop;
  }
}
