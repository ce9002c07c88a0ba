import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fieldNames } from '../../../functions/contacts/contact.ts';
import { listPartition } from '../../../functions/contacts/place.ts';
import { bare, full, propertiesOfOnly, resourcesOf, synthesize, textOf } from '../synthesize.ts';

const template = synthesize({
  bare,
  full,
  mail: { ...bare, notifications: { emails: ['a@example.com', 'b@example.com'] } },
  webhook: { ...bare, notifications: { webhookUrl: 'https://hooks.example.com/contact' } },
});

const all = (environment: string, type: string) => resourcesOf(template(environment), type);

const one = (environment: string, type: string) => propertiesOfOnly(template(environment), type);

const pipesOf = (environment: string) => all(environment, 'AWS::Pipes::Pipe');

test('nobody is told unless the environment names a target', () => {
  for (const type of ['AWS::Pipes::Pipe', 'AWS::SNS::Topic', 'AWS::SQS::Queue', 'AWS::SecretsManager::Secret']) {
    expect(all('bare', type)).toEqual({});
  }
});

test.each([
  ['mail', { NotificationsEmailPipe: 'NotificationsEmails' }],
  ['webhook', { NotificationsWebhookPipe: 'NotificationsWebhookApiDestination.Arn' }],
  [
    'full',
    {
      NotificationsEmailPipe: 'NotificationsEmails',
      NotificationsWebhookPipe: 'NotificationsWebhookApiDestination.Arn',
    },
  ],
])('%s: a pipe leads from the stream to each target', (environment, expected) => {
  const targets = Object.entries(pipesOf(environment)).map(([id, { Properties }]) => {
    expect(textOf(Properties.Source)).toBe('TablesContacts.StreamArn');
    expect(textOf(Properties.RoleArn)).toBe(`${id}Role.Arn`);
    return [id, textOf(Properties.Target)];
  });
  expect(Object.fromEntries(targets)).toEqual(expected);
});

test('what a target does not take is tried for a day, then leaves a dead letter', () => {
  for (const { Properties } of Object.values(pipesOf('full'))) {
    const { DeadLetterConfig, ...parameters } = Properties.SourceParameters.DynamoDBStreamParameters;
    expect(parameters).toEqual({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1,
      ParallelizationFactor: 10,
      MaximumRecordAgeInSeconds: 24 * 60 * 60,
      MaximumRetryAttempts: -1,
    });
    expect(textOf(DeadLetterConfig.Arn)).toBe('NotificationsDeadLetters.Arn');
  }
  expect(all('full', 'AWS::SQS::Queue')).toEqual({
    NotificationsDeadLetters: expect.objectContaining({
      Properties: { SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 24 * 60 * 60 },
    }),
  });
});

/** Whether an event matches a pattern, as far as this one goes: lists of values and of prefixes. */
const matches = (pattern: unknown, event: unknown): boolean => {
  if (Array.isArray(pattern)) {
    return pattern.some((choice) =>
      typeof choice === 'object' ? typeof event === 'string' && event.startsWith(choice.prefix) : choice === event,
    );
  }
  return Object.entries(Object(pattern)).every(([key, part]) => matches(part, Object(event)[key]));
};

test.each([
  ['INSERT', false, true],
  // One that took the place of an expired one.
  ['MODIFY', false, true],
  ['REMOVE', false, false],
  ['INSERT', true, false],
])('%s, spam %s: told %s', (eventName, spam, told) => {
  for (const { Properties } of Object.values(pipesOf('full'))) {
    const [{ Pattern }] = Properties.SourceParameters.FilterCriteria.Filters;
    const NewImage = { listPartition: { S: listPartition(randomUUID(), spam) } };
    expect(matches(JSON.parse(Pattern), { eventName, dynamodb: { ...(eventName !== 'REMOVE' && { NewImage }) } })).toBe(
      told,
    );
  }
});

test('the message has the fields of a contact request, and nothing that is stored besides', () => {
  for (const { Properties } of Object.values(pipesOf('full'))) {
    const { InputTemplate, ...others } = Properties.TargetParameters;
    expect(others).toEqual({});
    expect(JSON.parse(InputTemplate)).toEqual(
      Object.fromEntries([...fieldNames, 'createdAt', 'id'].map((name) => [name, `<$.dynamodb.NewImage.${name}.S>`])),
    );
    // A field a line, so that the mail can be read.
    expect(InputTemplate.split('\n')).toHaveLength(fieldNames.length + 4);
  }
});

test('each address is subscribed; a mail that cannot be delivered leaves a dead letter', () => {
  const subscriptions = Object.values(all('mail', 'AWS::SNS::Subscription')).map(({ Properties }) => [
    Properties.Protocol,
    Properties.Endpoint,
    textOf(Properties.TopicArn),
    textOf(Properties.RedrivePolicy.deadLetterTargetArn),
  ]);
  expect(subscriptions).toEqual([
    ['email', 'a@example.com', 'NotificationsEmails', 'NotificationsDeadLetters.Arn'],
    ['email', 'b@example.com', 'NotificationsEmails', 'NotificationsDeadLetters.Arn'],
  ]);
});

test('contact requests are encrypted on their way through topic and queue, which take TLS only', () => {
  expect(textOf(one('mail', 'AWS::SNS::Topic')['KmsMasterKeyId'])).toMatch(/alias\/aws\/sns$/);
  const deniesPlainText = (actions: string) =>
    expect.objectContaining({
      Effect: 'Deny',
      Action: actions,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  expect(one('mail', 'AWS::SNS::TopicPolicy')['PolicyDocument'].Statement).toEqual([deniesPlainText('sns:Publish')]);
  expect(one('mail', 'AWS::SQS::QueuePolicy')['PolicyDocument'].Statement).toEqual([
    deniesPlainText('sqs:*'),
    expect.objectContaining({
      Effect: 'Allow',
      Action: 'sqs:SendMessage',
      Principal: { Service: 'sns.amazonaws.com' },
      Condition: { ArnEquals: { 'aws:SourceArn': { Ref: expect.stringMatching(/^NotificationsEmails/) } } },
    }),
  ]);
});

test('a webhook is called by POST with a key that is made and kept in Secrets Manager', () => {
  const { ConnectionArn, ...destination } = one('webhook', 'AWS::Events::ApiDestination');
  expect(destination).toEqual({ HttpMethod: 'POST', InvocationEndpoint: 'https://hooks.example.com/contact' });
  expect(textOf(ConnectionArn)).toBe('NotificationsWebhookConnection.Arn');
  const { ApiKeyName, ApiKeyValue } = one('webhook', 'AWS::Events::Connection')['AuthParameters'].ApiKeyAuthParameters;
  expect(ApiKeyName).toBe('X-Api-Key');
  expect(textOf(ApiKeyValue)).toBe('{{resolve:secretsmanager:NotificationsWebhookKey:SecretString:::}}');
  expect(one('webhook', 'AWS::SecretsManager::Secret')['GenerateSecretString']).toEqual({
    PasswordLength: 43,
    ExcludePunctuation: true,
  });
});
