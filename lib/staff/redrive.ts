import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type ListMessageMoveTasksResultEntry,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { Staff } from './command.ts';
import { findTargets } from './find-targets.ts';
import { printJson, say, withProgress } from './output.ts';
import { StaffError } from './staff-error.ts';
import { count } from './text.ts';

/** Milliseconds between two requests for the state of the task. */
const pause = 1_000;

const queueAttributes = v.object({
  QueueArn: v.string(),
  ApproximateNumberOfMessages: v.pipe(v.string(), v.toNumber()),
});

type Task = ListMessageMoveTasksResultEntry | undefined;

const isRunning = (task: Task) => task?.Status === 'RUNNING' || task?.Status === 'CANCELLING';

/**
 * Makes SQS move all messages of the dead-letter queue back to the queues of their targets, and waits for the end.
 * A queue can have one such task at a time: the command waits for one that runs already.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
 * @throws {StaffError} if SQS stops early
 */
export const redrive = async (staff: Staff, json: boolean): Promise<void> => {
  const { environment, stderr, wait, signal } = staff;
  const { deadLetters } = findTargets(environment);
  const client = environment.client(SQSClient);

  const latestTask = async (SourceArn: string): Promise<Task> => {
    const { Results: tasks = [] } = await client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
    return tasks[0];
  };

  /** @returns the task at its end */
  const waitForEnd = (SourceArn: string, formerStart: number | undefined): Promise<Task> =>
    withProgress(staff, ['notification', 'moved'], async (report) => {
      for (;;) {
        await wait(pause, signal);
        const task = await latestTask(SourceArn);
        report(task?.ApproximateNumberOfMessagesMoved ?? 0);
        // The new task may not be listed yet.
        if (task && task.StartedTimestamp !== formerStart && !isRunning(task)) return task;
      }
    });

  const moveAll = async () => {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: deadLetters,
        AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'],
      }),
    );
    const { QueueArn, ApproximateNumberOfMessages: messages } = v.parse(queueAttributes, Attributes);
    const former = await latestTask(QueueArn);
    if (isRunning(former)) {
      stderr.write('SQS is already moving notifications.\n');
      return { messages, task: await waitForEnd(QueueArn, undefined) };
    }
    if (messages === 0) return { messages, task: undefined };
    stderr.write(`${count(messages, 'notification')} in the dead-letter queue.\n`);
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
    return { messages, task: await waitForEnd(QueueArn, former?.StartedTimestamp) };
  };

  const { messages, task } = await moveAll().catch((error: unknown) => {
    if (signal.aborted) say(staff, 'SQS continues on its own. Run the command again to follow the progress.');
    throw error;
  });
  const moved = task?.ApproximateNumberOfMessagesMoved ?? 0;
  if (json) await printJson(staff, { environment: environment.name, messages, moved });
  else stderr.write(task ? `Moved ${count(moved, 'notification')}.\n` : 'The dead-letter queue is empty.\n');
  if (!task || task.Status === 'COMPLETED') return;
  throw new StaffError(
    `SQS stopped before the end (${task.FailureReason ?? task.Status}): see docs/runbook.md#notification-dead-letters.`,
  );
};
