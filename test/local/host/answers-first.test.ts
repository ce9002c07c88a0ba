import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { createGate } from './gate.ts';
import { send } from './http.ts';
import { createReceiver } from './sqs/receiver.ts';
import { startTelling } from './sqs/telling.ts';
import { testFolder } from './test-tables.ts';

/** Writes a thing, signed as the host asks it to, and waits at the gate before it answers. */
const answeringSource = (gateUrl: string) => `
const { AWS_ACCESS_KEY_ID: id, AWS_ENDPOINT_URL_DYNAMODB: store } = process.env;
export const handler = async () => {
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Date': '20000101T000000Z',
    'X-Amz-Target': 'DynamoDB_20120810.PutItem',
    Authorization: 'AWS4-HMAC-SHA256 Credential=' + id + '/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
  };
  const Item = { id: { S: '1' }, list: { S: 'inbox#0' } };
  const written = await fetch(store, { method: 'POST', headers, body: JSON.stringify({ TableName: 'things', Item }) });
  await fetch('${gateUrl}');
  return { statusCode: written.status, body: '' };
};`;

test('who is told of a write waits until the one who wrote is answered', async () => {
  const [receiver, gate] = await Promise.all([createReceiver(), createGate()]);
  onTestFinished(gate.close);
  const telling = await startTelling(testFolder(), receiver, {
    targets: ['One'],
    answering: answeringSource(gate.url),
  });
  const answered = send(telling.baseUrl);
  await gate.reached();
  const command = new GetQueueAttributesCommand({ QueueUrl: telling.queueUrl('One'), AttributeNames: ['All'] });
  const { Attributes } = await telling.sqs().send(command);
  expect(Attributes).toMatchObject({
    ApproximateNumberOfMessages: '1',
    ApproximateNumberOfMessagesNotVisible: '0',
  });
  gate.open();
  expect((await answered).status).toBe(200);
  await receiver.delivered('One', 1);
});
