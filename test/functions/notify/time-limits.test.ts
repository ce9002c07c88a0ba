import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, it, vi } from 'vitest';
import { type Deliver, notificationOf } from '../../../functions/notify/deliver.ts';
import { deliverByEmail } from '../../../functions/notify/email.ts';
import { createPost } from '../../../functions/notify/post.ts';
import { storeTimeout } from '../../../functions/notify/queue-event.ts';
import { signingSecrets } from '../../../functions/notify/signing-secrets.ts';
import { deliverToWebhook } from '../../../functions/notify/webhook.ts';
import type { TimeoutAfter } from '../../../functions/shared/calls.ts';
import { full, resourcesOf, synthesize } from '../../infrastructure/synthesize.ts';
import { awsError, startFakeAws } from '../../support/fake-aws.ts';
import { failureOf, noTimeout } from '../../support/notifications.ts';
import { exampleContact } from '../../support/stored-contacts.ts';

type DeliverBy = (endpoint: string, timeoutAfter: TimeoutAfter) => Deliver;

const byEmail: DeliverBy = (endpoint, timeoutAfter) =>
  deliverByEmail(
    new SESv2Client({ endpoint }),
    {
      from: 'contact@example.com',
      to: 'staff@example.com',
      configurationSet: undefined,
      wording: { environment: 'test', subjects: new Map() },
    },
    timeoutAfter,
  );

const byWebhook: DeliverBy = (endpoint, timeoutAfter) => {
  const now = () => new Date('2026-03-01T12:00:00.000Z');
  const secrets = signingSecrets(new SecretsManagerClient({ endpoint }), 'arn', timeoutAfter, now);
  return deliverToWebhook('http://127.0.0.1:9/', secrets, createPost(timeoutAfter), now);
};

const notification = notificationOf(exampleContact);

it.each([
  ['SES', 'say nothing', byEmail],
  ['SES', 'stop in the response', byEmail],
  ['secret', 'say nothing', byWebhook],
  ['secret', 'stop in the response', byWebhook],
] as const)('a delivery fails if the time for %s ends while it may %s', async (name, stall, deliverBy) => {
  const over = new AbortController();
  await using aws = await startFakeAws(() => {
    // After the start of the response, if there is one.
    setTimeout(() => over.abort(new DOMException('over', 'TimeoutError')));
    return stall;
  });
  expect(await failureOf(deliverBy(aws.url, () => over.signal)(notification))).toBe(`${name} TimeoutError`);
});

const { NotificationsNotify } = resourcesOf(synthesize({ full })('full'), 'AWS::Lambda::Function');

it.each([
  ['an email', byEmail],
  ['a webhook', byWebhook],
])('%s that takes all of its time at each step ends before the timeout of the function', async (_, deliverBy) => {
  let sum = storeTimeout;
  const timeoutAfter = (milliseconds: number) => {
    sum += milliseconds;
    return noTimeout(milliseconds);
  };
  await using aws = await startFakeAws({ status: 200, body: { SecretString: 'Zmlyc3Q0', CreatedDate: 0 } });
  // Nothing listens where the webhook sends.
  await deliverBy(aws.url, timeoutAfter)(notification).catch(() => {});
  expect(aws.calls).not.toStrictEqual([]);
  expect(sum).toBeLessThan(NotificationsNotify?.['Properties'].Timeout * 1000);
});

it.each([
  [429, 'TooManyRequestsException'],
  [400, 'MessageRejected'],
])('a delivery fails with a reason but no address if SES responds with %i %s', async (status, name) => {
  // The SDK waits for a random part of a growing delay between attempts. Tests skip it.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await using aws = await startFakeAws(() => awsError(status, name));
  expect(await failureOf(byEmail(aws.url, noTimeout)(notification))).toBe(`SES ${name}`);
});
