import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, it, vi } from 'vitest';
import { tellByEmail } from '../../../functions/notify/email.ts';
import { notificationQueue } from '../../../functions/notify/queue.ts';
import { signingSecrets } from '../../../functions/notify/secret.ts';
import { tellWebhook } from '../../../functions/notify/webhook.ts';
import { type AwsAnswer, awsFailure, startFakeAws } from '../../support/fake-aws.ts';
import { logLines, logText } from '../../support/log.ts';
import { again, type NotifiedOptions, startNotified } from '../../support/notifications.ts';

/** Limits that are over when the service has the call that nobody answers. */
const start = async (answer: AwsAnswer) => {
  const over = new AbortController();
  const limits: number[] = [];
  const isStalled = answer === 'say nothing' || answer === 'stop in the answer';
  const aws = await startFakeAws(() => {
    // When the answer has begun, if it has.
    if (isStalled) setTimeout(() => over.abort(new DOMException('over', 'TimeoutError')));
    return answer;
  });
  const limit = (milliseconds: number) => {
    limits.push(milliseconds);
    return over.signal;
  };
  return { ...aws, endpoint: aws.url, limit, limits };
};

/** The function's own time, in milliseconds: lib/infrastructure/notifications/target.ts. */
const timeout = 30_000;

type Service = Awaited<ReturnType<typeof start>>;

type TellBy = (service: Service) => NotifiedOptions['tell'];

const bySes: TellBy =
  ({ endpoint, limit }) =>
  () =>
    tellByEmail(
      new SESv2Client({ endpoint }),
      { from: 'contact@example.com', to: 'staff@example.com', environment: 'test' },
      limit,
    );

const bySecret: TellBy =
  ({ endpoint, limit }) =>
  (post, now) => {
    const secrets = signingSecrets(new SecretsManagerClient({ endpoint }), 'arn', limit, now);
    return tellWebhook('http://127.0.0.1:9/', secrets, post, now);
  };

const targets: [name: string, tell: TellBy][] = [
  ['SES', bySes],
  ['secret', bySecret],
];

const stalls: AwsAnswer[] = ['say nothing', 'stop in the answer'];

it.each(targets.flatMap(([name, tell]) => stalls.map((stall) => [name, stall, tell] as const)))(
  'a try ends when %s does nothing but %s',
  async (name, stall, tell) => {
    await using service = await start(stall);
    const { posted, deliver } = await startNotified({ tell: tell(service), limit: service.limit });
    expect(await deliver((await posted()).record)).toStrictEqual(again);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ message: 'notification failed', reason: `${name} TimeoutError` }),
    );
  },
);

it.each(stalls)('the function ends when the queue does nothing but %s', async (stall) => {
  await using service = await start(stall);
  const queue = notificationQueue(
    new SQSClient({ endpoint: service.endpoint }),
    { QUEUE_URL: `${service.endpoint}/1/queue`, DEAD_LETTERS_URL: `${service.endpoint}/1/dead-letters` },
    service.limit,
  );
  const tell = () => () => Promise.reject(new Error('x'));
  const { posted, deliver } = await startNotified({ tell, queue });
  const { record } = await posted();
  for (const body of [record, '{']) expect(await deliver(body)).toStrictEqual(again);
  expect(logLines().filter((line) => Object(line).message === 'queue failed')).toHaveLength(2);
});

it.each(targets)('all that a try waits for ends long before the function is stopped: %s', async (_, tell) => {
  await using service = await start('say nothing');
  const queue = notificationQueue(
    new SQSClient({ endpoint: service.endpoint }),
    { QUEUE_URL: `${service.endpoint}/1/queue`, DEAD_LETTERS_URL: `${service.endpoint}/1/dead-letters` },
    service.limit,
  );
  const { posted, deliver } = await startNotified({ tell: tell(service), limit: service.limit, queue });
  await deliver((await posted()).record);
  const webhook = 10_000;
  const sum = service.limits.reduce((all, each) => all + each, webhook);
  expect(service.limits).toHaveLength(3);
  expect(sum).toBeLessThan(timeout - 1_000);
});

it.each([
  [429, 'TooManyRequestsException'],
  [400, 'MessageRejected'],
  [400, 'SendingPausedException'],
  [403, 'AccessDeniedException'],
])('SES that answers %i %s is a failed try that says so, and nobody', async (status, name) => {
  // The SDK waits a random part of a growing time between two attempts: none of it here.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await using service = await start(awsFailure(status, name));
  const { posted, deliver } = await startNotified({ tell: bySes(service) });
  expect(await deliver((await posted()).record)).toStrictEqual(again);
  expect(logLines()).toContainEqual(expect.objectContaining({ reason: `SES ${name}` }));
  expect(logText()).not.toMatch(/@example\.com|secret detail/);
});
