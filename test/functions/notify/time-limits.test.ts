import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, it, vi } from 'vitest';
import { deliverByEmail } from '../../../functions/notify/email.ts';
import { signingSecrets } from '../../../functions/notify/secret.ts';
import { deliverToWebhook } from '../../../functions/notify/webhook.ts';
import { type AwsAnswer, awsFailure, startFakeAws } from '../../support/fake-aws.ts';
import { logLines, logText } from '../../support/log.ts';
import { again, type NotifyServiceOptions, startNotify } from '../../support/notifications.ts';

/** A fake service, and a time limit that ends when a stalled call arrives. */
const start = async (answer: AwsAnswer) => {
  const over = new AbortController();
  const isStalled = answer === 'say nothing' || answer === 'stop in the answer';
  const aws = await startFakeAws(() => {
    // After the start of the answer, if there is one.
    if (isStalled) setTimeout(() => over.abort(new DOMException('over', 'TimeoutError')));
    return answer;
  });
  return { ...aws, endpoint: aws.url, limit: () => over.signal };
};

type Service = Awaited<ReturnType<typeof start>>;

type DeliverBy = (service: Service) => NotifyServiceOptions['deliver'];

const bySes: DeliverBy =
  ({ endpoint, limit }) =>
  () =>
    deliverByEmail(
      new SESv2Client({ endpoint }),
      { from: 'contact@example.com', to: 'staff@example.com', configurationSet: undefined, environment: 'test' },
      limit,
    );

const bySecret: DeliverBy =
  ({ endpoint, limit }) =>
  (post, now) => {
    const secrets = signingSecrets(new SecretsManagerClient({ endpoint }), 'arn', limit, now);
    return deliverToWebhook('http://127.0.0.1:9/', secrets, post, now);
  };

const targets: [name: string, deliverBy: DeliverBy][] = [
  ['SES', bySes],
  ['secret', bySecret],
];

const stalls: AwsAnswer[] = ['say nothing', 'stop in the answer'];

it.each(targets.flatMap(([name, deliverBy]) => stalls.map((stall) => [name, stall, deliverBy] as const)))(
  'fails the message if %s does nothing but %s',
  async (name, stall, deliverBy) => {
    await using service = await start(stall);
    const { post, deliver } = await startNotify({ deliver: deliverBy(service), limit: service.limit });
    expect(await deliver(await post())).toStrictEqual(again);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ message: 'notification failed', reason: `${name} TimeoutError` }),
    );
  },
);

it.each([
  [429, 'TooManyRequestsException'],
  [400, 'MessageRejected'],
])('fails the message with a reason but no address if SES answers %i %s', async (status, name) => {
  // The SDK waits for a random part of a growing delay between attempts. Tests skip it.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await using service = await start(awsFailure(status, name));
  const { post, deliver } = await startNotify({ deliver: bySes(service) });
  expect(await deliver(await post())).toStrictEqual(again);
  expect(logLines()).toContainEqual(expect.objectContaining({ reason: `SES ${name}` }));
  expect(logText()).not.toMatch(/@example\.com|secret detail/);
});
