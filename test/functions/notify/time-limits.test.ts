import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, it, vi } from 'vitest';
import { deliverByEmail } from '../../../functions/notify/email.ts';
import { signingSecrets } from '../../../functions/notify/signing-secrets.ts';
import { deliverToWebhook } from '../../../functions/notify/webhook.ts';
import type { TimeLimit } from '../../../functions/shared/calls.ts';
import { full, resourcesOf, synthesize } from '../../infrastructure/synthesize.ts';
import { awsError, startFakeAws } from '../../support/fake-aws.ts';
import { logLines, logText } from '../../support/log.ts';
import { again, type NotifyServiceOptions, noLimit, startNotify } from '../../support/notifications.ts';

type DeliverBy = (endpoint: string, limit: TimeLimit) => NotifyServiceOptions['deliver'];

const addresses = { from: 'contact@example.com', to: 'staff@example.com' };

const byEmail: DeliverBy = (endpoint, limit) => () =>
  deliverByEmail(
    new SESv2Client({ endpoint }),
    { ...addresses, configurationSet: undefined, wording: { environment: 'test', subjects: new Map() } },
    limit,
  );

const byWebhook: DeliverBy = (endpoint, limit) => (post, now) => {
  const secrets = signingSecrets(new SecretsManagerClient({ endpoint }), 'arn', limit, now);
  return deliverToWebhook('http://127.0.0.1:9/', secrets, post, now);
};

it.each([
  ['SES', 'say nothing', byEmail],
  ['SES', 'stop in the response', byEmail],
  ['secret', 'say nothing', byWebhook],
  ['secret', 'stop in the response', byWebhook],
] as const)('fails the message if the time for %s ends while it may %s', async (name, stall, deliverBy) => {
  const over = new AbortController();
  const limit = () => over.signal;
  await using aws = await startFakeAws(() => {
    // After the start of the response, if there is one.
    setTimeout(() => over.abort(new DOMException('over', 'TimeoutError')));
    return stall;
  });
  const { post, deliver } = await startNotify({ deliver: deliverBy(aws.url, limit), limit });
  expect(await deliver(await post())).toStrictEqual(again);
  expect(logLines()).toContainEqual(
    expect.objectContaining({ message: 'notification failed', reason: `${name} TimeoutError` }),
  );
});

const { NotificationsNotify } = resourcesOf(synthesize({ full })('full'), 'AWS::Lambda::Function');

it.each([
  ['an email', byEmail],
  ['a webhook', byWebhook],
])('%s that takes all of its time at each step ends before the timeout of the function', async (_, deliverBy) => {
  let sum = 0;
  const limit = (milliseconds: number) => {
    sum += milliseconds;
    return noLimit(milliseconds);
  };
  await using aws = await startFakeAws({ status: 200, body: { SecretString: 'Zmlyc3Q0', CreatedDate: 0 } });
  const { post, deliver } = await startNotify({ deliver: deliverBy(aws.url, limit), limit });
  await deliver(await post());
  expect(aws.calls).not.toStrictEqual([]);
  expect(sum).toBeLessThan(NotificationsNotify?.['Properties'].Timeout * 1000);
});

it.each([
  [429, 'TooManyRequestsException'],
  [400, 'MessageRejected'],
])('fails the message with a reason but no address if SES responds with %i %s', async (status, name) => {
  // The SDK waits for a random part of a growing delay between attempts. Tests skip it.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await using aws = await startFakeAws(() => awsError(status, name));
  const { post, deliver } = await startNotify({ deliver: byEmail(aws.url, () => noLimit(0)) });
  expect(await deliver(await post())).toStrictEqual(again);
  expect(logLines()).toContainEqual(expect.objectContaining({ reason: `SES ${name}` }));
  expect(logText()).not.toMatch(/@example\.com|secret detail/);
});
