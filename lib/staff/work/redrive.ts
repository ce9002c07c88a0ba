import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type ListMessageMoveTasksResultEntry,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { StaffError } from '../../shared/staff-error.ts';
import { count } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import { findTargets } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import type { CommandIo } from '../tool/command-io.ts';

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
 */
export const redrive = async (environment: StaffEnvironment, io: CommandIo): Promise<Result> => {
  const { deadLetters } = findTargets(environment);
  const client = environment.client(SQSClient);

  const latestTask = async (SourceArn: string): Promise<Task> => {
    const { Results: tasks = [] } = await client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
    return tasks[0];
  };

  /** @returns the task at its end */
  const waitForEnd = async (SourceArn: string, formerStart: number | undefined): Promise<Task> => {
    using progress = io.progress('notification', 'moved');
    for (;;) {
      await io.wait(pause, io.signal);
      const task = await latestTask(SourceArn);
      progress.report(task?.ApproximateNumberOfMessagesMoved ?? 0);
      // The new task may not be listed yet.
      if (task && task.StartedTimestamp !== formerStart && !isRunning(task)) return task;
    }
  };

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
      io.say('SQS is already moving notifications.');
      return { messages, task: await waitForEnd(QueueArn, undefined) };
    }
    if (messages === 0) return { messages, task: undefined };
    io.say(`${count(messages, 'notification')} in the dead-letter queue.`);
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
    return { messages, task: await waitForEnd(QueueArn, former?.StartedTimestamp) };
  };

  const { messages, task } = await moveAll().catch((error: unknown) => {
    if (io.signal.aborted) io.say('SQS continues on its own. Run the command again to follow the progress.');
    throw error;
  });
  const moved = task?.ApproximateNumberOfMessagesMoved ?? 0;
  const isComplete = !task || task.Status === 'COMPLETED';
  return {
    json: { environment: environment.name, messages, moved },
    status: () => (task ? `Moved ${count(moved, 'notification')}.` : 'The dead-letter queue is empty.'),
    error: isComplete
      ? undefined
      : new StaffError(
          `SQS stopped before the end (${task.FailureReason ?? task.Status}): see docs/runbook.md#notification-dead-letters.`,
        ),
  };
};
