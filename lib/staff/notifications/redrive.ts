import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type ListMessageMoveTasksResultEntry,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { makeClient } from '../../aws/client.ts';
import { printJson } from '../command-line/json.ts';
import { sayAmid, withProgress } from '../command-line/progress.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { count } from '../command-line/text.ts';
import type { NotificationsStaff } from '../context.ts';
import { persist } from '../tables/persist.ts';

/** Between two looks at the task, in milliseconds. */
const pause = 1_000;

type Task = ListMessageMoveTasksResultEntry | undefined;

const queueAttributes = v.object({
  QueueArn: v.string(),
  ApproximateNumberOfMessages: v.pipe(v.string(), v.toNumber()),
});

const isRunning = (task: Task) => task?.Status === 'RUNNING' || task?.Status === 'CANCELLING';

const movedBy = (task: Task) => task?.ApproximateNumberOfMessagesMoved ?? 0;

/**
 * Has SQS move all messages of the dead-letter queue back to the queues that they came from, and waits for the end.
 * A queue can have one such task at a time: one that runs already is waited for.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
 * @throws {StaffError} if SQS stops early
 */
export const redrive = async (staff: NotificationsStaff, { json }: { readonly json: boolean }): Promise<void> => {
  const { stderr, notifications, environment, wait, signal } = staff;
  const client = makeClient(SQSClient, notifications.aws);

  const latestTask = async (SourceArn: string): Promise<Task> => {
    const { Results: tasks = [] } = await persist(staff, () =>
      client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 })),
    );
    return tasks[0];
  };

  /** @returns the task at its end */
  const waitForEnd = (SourceArn: string, formerStart: number | undefined): Promise<Task> =>
    withProgress(staff, ['notification', 'moved'], async (report) => {
      for (;;) {
        await wait(pause, signal);
        const task = await latestTask(SourceArn);
        report(movedBy(task));
        // The list may not have the new task yet.
        if (task && task.StartedTimestamp !== formerStart && !isRunning(task)) return task;
      }
    });

  const moveAll = async () => {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: notifications.deadLetters,
        AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'],
      }),
    );
    const { QueueArn, ApproximateNumberOfMessages: messages } = v.parse(queueAttributes, Attributes);
    const former = await latestTask(QueueArn);
    if (isRunning(former)) stderr.write('SQS is moving notifications already.\n');
    else if (messages === 0) return { messages };
    else {
      stderr.write(`${count(messages, 'notification')} in the dead-letter queue.\n`);
      await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
    }
    const formerStart = isRunning(former) ? undefined : former?.StartedTimestamp;
    return { messages, task: await waitForEnd(QueueArn, formerStart) };
  };

  const { messages, task } = await moveAll()
    .catch((error) => {
      if (signal.aborted) sayAmid(staff, 'SQS goes on by itself: to see how far it is, run the command again.');
      throw error;
    })
    .finally(() => client.destroy());

  const moved = movedBy(task);
  if (json) await printJson(staff, { environment, messages, moved });
  else stderr.write(task ? `Moved ${count(moved, 'notification')}.\n` : 'The dead-letter queue is empty.\n');
  if (!task || task.Status === 'COMPLETED') return;
  throw new StaffError(
    `SQS stopped before the end (${task.FailureReason ?? task.Status}): see docs/runbook.md#notification-dead-letters.`,
  );
};
