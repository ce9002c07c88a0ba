import {
  CloudWatchLogsClient,
  paginateFilterLogEvents,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import { GetFunctionConfigurationCommand, LambdaClient, paginateListEventSourceMappings } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { count } from '../../command-line/text.ts';
import { type Check, type Finding, note, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** SQS retries after a minute and a half: an hour holds the last failure of whatever waits. */
const hour = 60 * 60 * 1000;

/** What functions/notify/notify.ts logs of a failure. */
const failure = v.pipe(v.string(), v.parseJson(), v.object({ target: v.string(), reason: v.string() }));
const failurePattern = '{ $.message = "notification failed" }';

const runs = ['Enabled', 'Enabling', 'Creating', 'Updating'];

/** The ARNs of the queues or streams that Lambda reads for a function. */
const sourcesOf = async ({ client }: Deployment, FunctionName: string): Promise<readonly string[]> => {
  const sources: string[] = [];
  const pages = paginateListEventSourceMappings({ client: client(LambdaClient) }, { FunctionName });
  for await (const { EventSourceMappings: page = [] } of pages) {
    for (const { EventSourceArn: arn = '', State: state = '' } of page) if (runs.includes(state)) sources.push(arn);
  }
  return sources;
};

/** How many notifications are in a queue, including those under way and those that wait for a retry. */
const waitingIn = async ({ client }: Deployment, QueueUrl: string): Promise<number> => {
  const { Attributes: attributes } = await client(SQSClient).send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Number(attributes?.ApproximateNumberOfMessages) + Number(attributes?.ApproximateNumberOfMessagesNotVisible);
};

/** The reason of each target's last failure, by the target's name. */
const lastReasons = async ({ client, now }: Deployment, FunctionName: string): Promise<Map<string, string>> => {
  const reasons = new Map<string, string>();
  const { LoggingConfig: logging } = await client(LambdaClient).send(
    new GetFunctionConfigurationCommand({ FunctionName }),
  );
  const pages = paginateFilterLogEvents(
    { client: client(CloudWatchLogsClient) },
    { logGroupName: logging?.LogGroup, filterPattern: failurePattern, startTime: now().getTime() - hour },
  );
  try {
    for await (const { events = [] } of pages) {
      for (const { message } of events) {
        const result = v.safeParse(failure, message);
        if (result.success) reasons.set(result.output.target, result.output.reason);
      }
    }
  } catch (error) {
    // The function has not logged anything yet.
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
  return reasons;
};

const lastPart = (text: string, separator: string) => text.slice(text.lastIndexOf(separator) + 1);

/** Checks that Lambda reads the stream and each target's queue, and that targets accept their notifications. */
export const targets: Check = {
  name: 'notifications',
  actions: [
    'lambda:GetFunctionConfiguration',
    'lambda:ListEventSourceMappings',
    'logs:FilterLogEvents',
    'sqs:GetQueueAttributes',
  ],
  patience: 60_000,
  look: async (deployment) => {
    const { notifications, settings, resource, crcs, stack } = deployment;
    if (!notifications) return [];
    const revert = `npx cdk deploy ${stack} --revert-drift`;
    const findings: Finding[] = [];

    const fanOut = resource('AWS::Lambda::Function', 'FanOut');
    if (settings.notificationsPaused) {
      findings.push(note('Notifications are paused: contact requests trigger none.', 'docs/notifications.md#paused'));
    } else if (!fanOut || (await sourcesOf(deployment, fanOut.physicalId)).length === 0) {
      findings.push(
        wrong(
          "The function fan-out does not read the table's stream: nobody is notified.",
          `docs/runbook.md#fan-out-idle: ${revert}`,
        ),
      );
    }

    const sources = await sourcesOf(deployment, notifications.notifyFunction);
    const queues = new Set(sources.map((arn) => lastPart(arn, ':')));
    const waiting = new Map<string, number>();
    for (const { name, queue } of notifications.targets) {
      waiting.set(name, await waitingIn(deployment, queue));
      if (queues.has(lastPart(queue, '/'))) continue;
      findings.push(
        wrong(
          `The function notify does not read the queue of ${name}.`,
          `docs/runbook.md#notification-backlog: ${revert}`,
        ),
      );
    }

    const anyWaits = [...waiting.values()].some((amount) => amount > 0);
    const reasons = anyWaits ? await lastReasons(deployment, notifications.notifyFunction) : new Map<string, string>();
    for (const [name, amount] of waiting) {
      const reason = reasons.get(name);
      // Without a failure they are under way.
      if (amount === 0 || reason === undefined) continue;
      findings.push(
        wrong(
          `${name} does not accept notifications: ${reason}. ${count(amount, 'notification')} ${amount === 1 ? 'waits' : 'wait'}.`,
          `docs/runbook.md#notification-retries: ${crcs('notifications test')}`,
        ),
      );
    }
    return findings;
  },
};
