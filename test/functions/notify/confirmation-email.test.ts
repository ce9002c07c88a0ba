import { SESClient } from '@aws-sdk/client-ses';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, it, onTestFinished } from 'vitest';
import { confirmationSender } from '../../../functions/notify/confirmation-email.ts';
import { stopConfirmations } from '../../../functions/notify/stop-confirmations.ts';
import { LoggableError } from '../../../functions/shared/calls.ts';
import { type AwsResponse, awsError, startFakeAws } from '../../support/fake-aws.ts';
import { logLines } from '../../support/log.ts';
import { noTimeout, overAtOnce } from '../../support/notifications.ts';

const confirmation = {
  to: 'ada@example.org',
  template: 'prod-1a2b3c4d',
  values: { site: 'www.example.com', time: '1 March 2026 at 12:00:00 UTC', reference: '8f14e45f' },
};

const start = async (response: AwsResponse, timeoutAfter = noTimeout) => {
  const aws = await startFakeAws(response);
  onTestFinished(() => aws[Symbol.asyncDispose]());
  const client = new SESClient({ endpoint: aws.url, maxAttempts: 1 });
  const options = { from: 'Shop <contact@example.com>', replyTo: 'office@example.com', configurationSet: 'the-set' };
  return { ...aws, send: confirmationSender(client, options, timeoutAfter) };
};

it('asks SES for a template with three values, and for nothing else', async () => {
  const { send, calls } = await start({ status: 200, body: { MessageId: 'one' } });
  expect(await send(confirmation)).toBe('sent');
  expect(calls.map(({ input }) => input)).toStrictEqual([
    {
      Action: 'SendTemplatedEmail',
      Version: '2010-12-01',
      Source: 'Shop <contact@example.com>',
      'Destination.ToAddresses.member.1': 'ada@example.org',
      'ReplyToAddresses.member.1': 'office@example.com',
      ConfigurationSetName: 'the-set',
      Template: 'prod-1a2b3c4d',
      TemplateData: JSON.stringify(confirmation.values),
    },
  ]);
});

it.each([
  ['ConfigurationSetSendingPausedException', 400, 'paused'],
  ['AccountSendingPausedException', 400, 'paused'],
  ['MessageRejected', 400, 'rejected'],
  ['InvalidParameterValue', 400, 'rejected'],
  ['ServiceUnavailable', 503, 'no response'],
])('after %s, nobody tries again', async (name, status, outcome) => {
  const { send, calls } = await start(awsError(status, name));
  expect(await send(confirmation)).toBe(outcome);
  expect(calls).toHaveLength(1);
});

it.each(['Throttling', 'AccessDenied', 'TemplateDoesNotExistException', 'ConfigurationSetDoesNotExistException'])(
  'after %s, SQS tries again',
  async (name) => {
    const { send } = await start(awsError(400, name));
    await expect(send(confirmation)).rejects.toStrictEqual(new LoggableError(`SES ${name}`));
  },
);

it.each([
  ['the connection ends', 'hang up', noTimeout],
  ['SES is slow', 'say nothing', overAtOnce],
] as const)('if %s, nobody knows whether it was sent', async (_, response, timeoutAfter) => {
  const { send, calls } = await start(response, timeoutAfter);
  expect(await send(confirmation)).toBe('no response');
  expect(calls.length).toBeLessThanOrEqual(1);
});

it('stops everything that SES would send by the configuration set', async () => {
  const aws = await startFakeAws({ status: 200, body: {} });
  onTestFinished(() => aws[Symbol.asyncDispose]());
  await stopConfirmations(new SESv2Client({ endpoint: aws.url }), 'the-set')();
  expect(aws.calls.map(({ operation, input }) => [operation, input])).toEqual([
    ['PUT /v2/email/configuration-sets/the-set/sending', { SendingEnabled: false }],
  ]);
  expect(logLines()).toContainEqual(expect.objectContaining({ level: 'warn', message: 'confirmations stopped' }));
});
