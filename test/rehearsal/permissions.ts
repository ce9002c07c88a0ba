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
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { contactsTable } from '../../functions/contacts/table.ts';
import { tokensTable } from '../../functions/tokens/table.ts';
import type { Target } from './arrivals.ts';
import { region } from './emulator.ts';
import { deadLettersOf, type Scene } from './scene.ts';
import { mailed } from './versions.ts';

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

const mail = (from: string, to: string) =>
  new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: { Data: 'Not to be sent' }, Body: { Text: { Data: 'Not to be sent' } } } },
  });

/** What a target's function has no need to do, tried with its credentials. */
const needless = async (scene: Scene, target: Target) => {
  const { cast, targets, outputs } = scene;
  const access = {
    endpoint: cast.emulator.endpoint,
    region,
    credentials: credentialsOf(await cast.aws.roleOf(target.function)),
  };
  const [dynamoDb, sqs, ses] = [new DynamoDBClient(access), new SQSClient(access), new SESv2Client(access)];
  const [secrets, lambda] = [new SecretsManagerClient(access), new LambdaClient(access)];
  const TableName = outputs['ContactsTable'];
  const item = { [contactsTable.partitionKey]: { S: 'none' } };

  // So that what follows is denied for want of a permission, and not for the credentials.
  await dynamoDb.send(new GetItemCommand({ TableName, Key: item }));

  const others = targets.filter(({ name }) => name !== target.name);
  return [
    dynamoDb.send(new ScanCommand({ TableName })),
    dynamoDb.send(
      new QueryCommand({
        TableName,
        IndexName: contactsTable.listIndex.name,
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': contactsTable.listIndex.partitionKey },
        ExpressionAttributeValues: { ':p': { S: contactsTable.listPartitions.inbox } },
      }),
    ),
    dynamoDb.send(new PutItemCommand({ TableName, Item: item })),
    dynamoDb.send(new DeleteItemCommand({ TableName, Key: item })),
    dynamoDb.send(
      new GetItemCommand({ TableName: outputs['TokensTable'], Key: { [tokensTable.partitionKey]: { S: 'none' } } }),
    ),
    sqs.send(new ReceiveMessageCommand({ QueueUrl: deadLettersOf(scene) })),
    sqs.send(new SendMessageCommand({ QueueUrl: target.queue, MessageBody: 'Not to be sent' })),
    ...others.flatMap(({ queue, function: name }) => [
      sqs.send(new ReceiveMessageCommand({ QueueUrl: queue })),
      lambda.send(new InvokeCommand({ FunctionName: name })),
    ]),
    ...mailed.to.filter((to) => to !== target.address).map((to) => ses.send(mail(mailed.from, to))),
    ses.send(mail(target.address.includes('@') ? target.address : mailed.from, mailed.to[0] ?? '')),
    ...targets.flatMap(({ secret: SecretId }) => {
      if (SecretId === undefined) return [];
      const put = secrets.send(new PutSecretValueCommand({ SecretId, SecretString: 'Not to be kept' }));
      return SecretId === target.secret ? [put] : [put, secrets.send(new GetSecretValueCommand({ SecretId }))];
    }),
  ];
};

/** What the function of a target can do for all that was told before is all that it can do. */
export const doNoMore = async (scene: Scene): Promise<void> => {
  // Out of it SES asks for no permission on a recipient's identity: the role's conditions must do.
  await scene.cast.aws.setSandbox(false);
  let denied = 0;
  for (const target of scene.targets) {
    for (const outcome of await Promise.allSettled(await needless(scene, target))) {
      assert.ok(outcome.status === 'rejected', `${target.name} may do what it has no need of`);
      assert.match(String(outcome.reason?.name), /^AccessDenied/);
      denied += 1;
    }
  }
  scene.cast.steps.say(`${denied} calls that the functions have no need of, as themselves: each is denied`);
};
