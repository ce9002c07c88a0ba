import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { contactsTable } from '../../functions/contacts/table.ts';
import { tokensTable } from '../../functions/tokens/token.ts';
import type { Deployed } from './deployed.ts';
import { region } from './emulator.ts';
import { mailed, slackSecret } from './settings.ts';
import type { Cast } from './steps.ts';
import { targetsIn } from './targets.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The credentials that the emulator gives to a function (core/lambda_runtime.py, execution_credentials). */
const credentialsOf = ({ arn, role }: { readonly arn: string; readonly role: string }) => {
  const digest = digestOf(`${arn}:${role}`);
  return {
    accessKeyId: `ASIA${digest.slice(0, 16).toUpperCase()}`,
    secretAccessKey: digestOf(`secret:${digest}`),
    sessionToken: digestOf(`token:${digest}`),
  };
};

/** Calls that any function could make, by what they do. */
const callsOf = (endpoint: string, { outputs }: Deployed, credentials: ReturnType<typeof credentialsOf>) => {
  const access = { endpoint, region, credentials };
  const targets = targetsIn(outputs);
  const signed = targets.find(({ kind }) => kind === 'webhook');
  const [dynamoDb, sqs, ses] = [new DynamoDBClient(access), new SQSClient(access), new SESv2Client(access)];
  const [secrets, lambda] = [new SecretsManagerClient(access), new LambdaClient(access)];
  const TableName = outputs['ContactsTable'];
  const Key = { [contactsTable.partitionKey]: { S: 'none' } };
  const { listIndex, listPartitions } = contactsTable;

  const receive = (QueueUrl = '') => sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  const send = (QueueUrl = '') => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'Not to be sent' }));
  const mail = (from: string, to: string) =>
    ses.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: { Data: 'Not to be sent' }, Body: { Text: { Data: 'Not to be sent' } } } },
      }),
    );
  const readSecret = (SecretId = '') => secrets.send(new GetSecretValueCommand({ SecretId }));
  const [address = ''] = mailed.to;

  return {
    'read a contact request': () => dynamoDb.send(new GetItemCommand({ TableName, Key })),
    'scan contact requests': () => dynamoDb.send(new ScanCommand({ TableName })),
    'list contact requests': () =>
      dynamoDb.send(
        new QueryCommand({
          TableName,
          IndexName: listIndex.name,
          KeyConditionExpression: '#p = :p',
          ExpressionAttributeNames: { '#p': listIndex.partitionKey },
          ExpressionAttributeValues: { ':p': { S: listPartitions.inbox } },
        }),
      ),
    'write a contact request': () => dynamoDb.send(new PutItemCommand({ TableName, Item: Key })),
    'delete a contact request': () => dynamoDb.send(new DeleteItemCommand({ TableName, Key })),
    'read a token': () =>
      dynamoDb.send(
        new GetItemCommand({ TableName: outputs['TokensTable'], Key: { [tokensTable.partitionKey]: { S: 'none' } } }),
      ),
    'receive messages of targets': () => Promise.all(targets.map(({ queue }) => receive(queue))),
    'look at queues of targets': () =>
      Promise.all(targets.map(({ queue }) => sqs.send(new GetQueueAttributesCommand({ QueueUrl: queue })))),
    'send messages to targets': () => Promise.all(targets.map(({ queue }) => send(queue))),
    'receive dead letters': () => receive(outputs['DeadLetters']),
    'send dead letters': () => send(outputs['DeadLetters']),
    'receive failures of the stream': () => receive(outputs['FanOutFailures']),
    'send failures of the stream': () => send(outputs['FanOutFailures']),
    'invoke a function': () => lambda.send(new InvokeCommand({ FunctionName: outputs['NotifyFunction'] })),
    'send a mail': () => mail(mailed.from, address),
    'send a mail to a stranger': () => mail(mailed.from, 'stranger@example.com'),
    'send a mail from a recipient': () => mail(address, address),
    'read the secret of a webhook': () => readSecret(signed?.secret),
    'read the URL of Slack': () => readSecret(slackSecret),
    'read another secret': () => readSecret('another-secret'),
    'change the secret of a webhook': () =>
      secrets.send(new PutSecretValueCommand({ SecretId: signed?.secret, SecretString: 'Not to be kept' })),
  } satisfies Record<string, () => Promise<unknown>>;
};

type Call = keyof ReturnType<typeof callsOf>;

/** What each function must be able to do, by its id in the stack; every other call must be denied. */
const musts: Readonly<Record<string, readonly Call[]>> = {
  CreateContact: ['write a contact request'],
  NotificationsFanOut: ['send messages to targets', 'send failures of the stream'],
  NotificationsNotify: [
    'read a contact request',
    'receive messages of targets',
    'look at queues of targets',
    'send a mail',
    'read the secret of a webhook',
    'read the URL of Slack',
  ],
};

/** Makes every call as every one of these functions: each can do what it must, and nothing else. */
export const tryPermissions = async ({ aws, emulator, steps }: Cast, deployed: Deployed): Promise<void> => {
  // Out of the sandbox SES asks for no permission on a recipient's identity: the role's conditions must do.
  await aws.setSandbox(false);
  await aws.storeSecret('another-secret', 'Not to be read');
  for (const [id, allowed] of Object.entries(musts)) {
    const calls = callsOf(emulator.endpoint, deployed, credentialsOf(await aws.functionOf(deployed.stack, id)));
    const done: string[] = [];
    for (const [what, call] of Object.entries(calls)) {
      try {
        await call();
        done.push(what);
      } catch (error) {
        assert.ok(error instanceof Error && /^AccessDenied/.test(error.name), `${id}, ${what}: ${error}`);
      }
    }
    assert.deepEqual(done.toSorted(), allowed.toSorted(), `What ${id} can do`);
    steps.say(`${id} can ${allowed.join(', ')}; ${Object.keys(calls).length - done.length} other calls are denied`);
  }
};
