import {
  CloudWatchLogsClient,
  paginateFilterLogEvents,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import { GetFunctionConfigurationCommand, LambdaClient, paginateListEventSourceMappings } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { count } from '../../command-line/text.ts';
import { adviceFor } from '../../notifications/advice.ts';
import type { Target } from '../../notifications/notifications.ts';
import { type Check, type Finding, note, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** As long as a notification is tried: functions/notify/retry.ts. */
const day = 24 * 60 * 60 * 1000;

/** What functions/notify/notify.ts logs of a try in vain. */
const failed = v.pipe(v.string(), v.parseJson(), v.object({ reason: v.string() }));
const pattern = '{ $.message = "notification failed" || $.message = "notification given up" }';

/** How many notifications are in a queue, also those that wait for their next try or are being told. */
const waitingIn = async ({ client }: Deployment, QueueUrl: string): Promise<number> => {
  const { Attributes: attributes } = await client(SQSClient).send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Number(attributes?.ApproximateNumberOfMessages) + Number(attributes?.ApproximateNumberOfMessagesNotVisible);
};

/** Why a target was not told, in the last day. */
const reasonsOf = async ({ client, now }: Deployment, logGroupName: string): Promise<readonly string[]> => {
  const reasons: string[] = [];
  const pages = paginateFilterLogEvents(
    { client: client(CloudWatchLogsClient) },
    { logGroupName, filterPattern: pattern, startTime: now().getTime() - day },
  );
  try {
    for await (const { events = [] } of pages) {
      for (const { message } of events) {
        const told = v.safeParse(failed, message);
        if (told.success) reasons.push(told.output.reason);
      }
    }
  } catch (error) {
    // Not logged anything yet.
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
  return reasons;
};

const lookAt = async (deployment: Deployment, target: Target): Promise<Finding[]> => {
  const { client, crcs, stack } = deployment;
  const lambda = client(LambdaClient);
  const findings: Finding[] = [];

  const states: (string | undefined)[] = [];
  const mappings = paginateListEventSourceMappings({ client: lambda }, { FunctionName: target.function });
  for await (const { EventSourceMappings: page = [] } of mappings) states.push(...page.map(({ State }) => State));
  if (!states.some((state) => state === 'Enabled' || state === 'Creating' || state === 'Updating')) {
    findings.push(
      wrong(
        `Nothing takes what ${target.name} is to be told from its queue.`,
        `docs/runbook.md#notification-backlog: npx cdk deploy ${stack} --revert-drift`,
      ),
    );
  }

  const waiting = await waitingIn(deployment, target.queue);
  if (waiting === 0) return findings;
  const { LoggingConfig: logging } = await lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: target.function }),
  );
  const reasons = logging?.LogGroup === undefined ? [] : await reasonsOf(deployment, logging.LogGroup);
  const reason = reasons.at(-1);
  // None has failed: they are being told.
  if (reason === undefined) return findings;
  const tries = reasons.length === 1 ? '1 try has' : `${reasons.length} tries have`;
  const advice = adviceFor(target, reason);
  findings.push(
    wrong(
      `${target.name} is not told: ${tries} failed in a day, the last by ${reason}; ${count(waiting, 'notification')} ${waiting === 1 ? 'waits' : 'wait'}.`,
      [advice, `docs/runbook.md#notification-retries: ${crcs('notifications test')}`].filter(Boolean).join(' '),
    ),
  );
  return findings;
};

/** Whether those who are to be told of contact requests take them. */
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
    const all = deployment.notifications?.targets.map((target) => lookAt(deployment, target)) ?? [];
    const paused = deployment.settings?.notificationsPaused
      ? [note('Notifications are paused: nobody is told of what comes now.', 'docs/notifications.md#paused')]
      : [];
    return [...paused, ...(await Promise.all(all)).flat()];
  },
};
