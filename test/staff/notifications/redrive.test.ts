import { expect, it, vi } from 'vitest';
import { where } from '../stack.ts';
import { failure, startNotifying } from './service.ts';

const QueueArn = 'arn:aws:sqs:eu-central-1:123456789012:dead-letters';

interface Task {
  readonly Status: string;
  readonly StartedTimestamp: number;
  readonly ApproximateNumberOfMessagesMoved: number;
  readonly FailureReason?: string;
}

const former: Task = { Status: 'COMPLETED', StartedTimestamp: 1, ApproximateNumberOfMessagesMoved: 70 };
const running: Task = { Status: 'RUNNING', StartedTimestamp: 2, ApproximateNumberOfMessagesMoved: 1 };
const completed: Task = { ...running, Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 };

/** An environment with so many dead letters, in which SQS shows these tasks one after the other, and then the last. */
const startRedriving = async (messages: number, shown: readonly (Task | undefined)[]) => {
  const service = await startNotifying(['Webhook5e6f7a8b']);
  let looks = 0;
  Object.assign(service.answers, {
    GetQueueAttributes: () => ({ body: { Attributes: { QueueArn, ApproximateNumberOfMessages: `${messages}` } } }),
    ListMessageMoveTasks: () => {
      const task = shown[Math.min(looks, shown.length - 1)];
      looks += 1;
      return { body: { Results: task ? [task] : [] } };
    },
    StartMessageMoveTask: () => ({ body: { TaskHandle: 'one' } }),
  });
  const started = () => service.asked.filter(([operation]) => operation === 'StartMessageMoveTask');
  return { ...service, started };
};

it.each([
  ['the first time', [undefined, undefined, running, running, completed]],
  ['again, although SQS shows the former task for a while', [former, former, running, completed]],
])('has SQS move all messages to where they came from, and waits for the end: %s', async (_, shown) => {
  const { run, started, asked } = await startRedriving(3, shown);
  expect(await run(['redrive'])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${where}3 notifications in the dead-letter queue.\nMoved 3 notifications.\n`,
  });
  expect(started()).toEqual([['StartMessageMoveTask', { SourceArn: QueueArn }]]);
  expect(asked.filter(([operation]) => operation === 'ListMessageMoveTasks')).toHaveLength(shown.length);
});

it('prints the numbers as JSON', async () => {
  const { run } = await startRedriving(3, [former, completed]);
  const { code, stdout } = await run(['redrive', '--json']);
  expect({ code, printed: JSON.parse(stdout) }).toEqual({
    code: 0,
    printed: { environment: 'dev', messages: 3, moved: 3 },
  });
});

it('says that the dead-letter queue is empty', async () => {
  const { run, started } = await startRedriving(0, [former]);
  expect(await run(['redrive'])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${where}The dead-letter queue is empty.\n`,
  });
  expect(started()).toEqual([]);
});

it('waits for a task that runs already and starts none', async () => {
  const { run, started } = await startRedriving(0, [running, running, completed]);
  expect(await run(['redrive'])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${where}SQS is moving notifications already.\nMoved 3 notifications.\n`,
  });
  expect(started()).toEqual([]);
});

it('exits with 1 if SQS stops before the end', async () => {
  const failed = { ...running, Status: 'FAILED', FailureReason: 'AWS.SimpleQueueService.NonExistentQueue' };
  const { run } = await startRedriving(3, [undefined, failed]);
  const { code, stderr } = await run(['redrive']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /\nMoved 1 notification\.\nSQS stopped before the end \(AWS\.SimpleQueueService\.NonExistentQueue\): see docs\/runbook\.md#notification-dead-letters\.\n$/,
  );
});

it.each([
  ['GetQueueAttributes', 'QueueDoesNotExist', /^A queue of this environment is missing: deploy it again /],
  ['StartMessageMoveTask', 'AccessDenied', /^These AWS credentials may not do this: /],
])('is one line when %s fails with %s', async (operation, name, line) => {
  const { run, answers } = await startRedriving(3, [undefined]);
  answers[operation] = () => failure(name, 403);
  const { code, stdout, stderr } = await run(['redrive']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.split('\n').at(-2)).toMatch(line);
});

it('goes on waiting when an answer is lost or AWS is too busy', async () => {
  const { run, answers } = await startRedriving(3, []);
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  const faults = [
    () => ({ body: {} }),
    () => undefined,
    () => failure('RequestThrottled', 403),
    () => failure('ServiceUnavailable', 503),
  ];
  answers['ListMessageMoveTasks'] = () => (faults.shift() ?? (() => ({ body: { Results: [completed] } })))();
  expect((await run(['redrive'])).stderr).toMatch(/\nMoved 3 notifications\.\n$/);
  expect(faults).toEqual([]);
});

it('shows progress on a terminal, and says at Ctrl-C that SQS goes on', async () => {
  const { run, answers } = await startRedriving(3, []);
  const stopped = new AbortController();
  let looks = 0;
  answers['ListMessageMoveTasks'] = () => {
    looks += 1;
    if (looks === 3) stopped.abort();
    return { body: { Results: looks === 1 ? [] : [running] } };
  };
  const { code, stderr } = await run(['redrive'], { signal: stopped.signal, terminals: ['stderr'] });
  expect(code).toBe(130);
  expect(stderr).toContain('1 notification moved');
  expect(stderr).toMatch(
    /SQS goes on by itself: to see how far it is, run the command again\.\nStopped before the end\.\n$/,
  );
});
