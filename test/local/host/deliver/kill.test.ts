import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { CfnOutput, Duration } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, onTestFinished } from 'vitest';
import { listen } from '../../../../lib/local/host/listen.ts';
import { testOnPosix } from '../../../support/posix.ts';
import { synthesize } from '../test-host.ts';
import { startProcess } from '../test-process.ts';
import { clientOf, testFolder } from '../test-tables.ts';

/** Reports a step to the test, and goes on when the test answers. */
const step = (url: string) => `
const step = (name, detail = '') => fetch('${url}', { method: 'POST', body: JSON.stringify([name, detail]) });`;

const fanOutSource = (url: string) => `${step(url)}
const { AWS_ACCESS_KEY_ID: id, AWS_ENDPOINT_URL: sqs, QUEUE_URL: QueueUrl } = process.env;
const headers = {
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': 'AmazonSQS.SendMessage',
  Authorization: 'AWS4-HMAC-SHA256 Credential=' + id + '/20000101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=x',
};
export const handler = async ({ Records }) => {
  await step('before the message is sent');
  for (const { dynamodb } of Records) {
    const body = JSON.stringify({ QueueUrl, MessageBody: dynamodb.NewImage.id.S });
    const answer = await fetch(sqs, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }
  await step('after the message is sent');
};`;

const notifySource = (url: string) => `${step(url)}
export const handler = async ({ Records: [{ body }] }) => {
  await step('before the delivery');
  await step('delivered', body);
  await step('after the delivery');
};`;

/** Gets the functions' reports of their steps, and can let them wait at one. */
const startWatcher = async () => {
  const delivered = new Set<string>();
  let stopAt: string | undefined;
  const server = createServer(async (request, response) => {
    const [name, detail] = JSON.parse(await text(request));
    if (name === 'delivered') delivered.add(detail);
    if (name === stopAt) server.emit('stopped');
    else response.end();
  });
  const { port } = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    delivered,
    stopAt: (name: string | undefined) => {
      stopAt = name;
    },
    stopped: () => once(server, 'stopped'),
  };
};

/** A stream, a function that sends a message for each record, and a function that delivers each message. */
const synthesizeDelivery = (url: string) =>
  synthesize(testFolder(), (stack) => {
    stack.api({ 'GET /': stack.echo('Echo', '1') });
    const things = new TableV2(stack, 'Things', {
      tableName: 'things',
      partitionKey: { name: 'id', type: AttributeType.STRING },
      dynamoStream: StreamViewType.NEW_IMAGE,
    });
    new CfnOutput(stack, 'ThingsTable', { value: things.tableName });
    const visibilityTimeout = Duration.seconds(90);
    const queue = new Queue(stack, 'Queue', { visibilityTimeout });
    const fanOut = stack.function('FanOut', fanOutSource(url));
    fanOut.addEnvironment('QUEUE_URL', queue.queueUrl);
    new EventSourceMapping(stack, 'Changes', {
      target: fanOut,
      eventSourceArn: things.tableStreamArn ?? '',
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 10,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge: Duration.hours(24),
      onFailure: new SqsDlq(new Queue(stack, 'Lost')),
      filters: [FilterCriteria.filter({ dynamodb: { NewImage: { list: { S: FilterRule.isEqual('inbox') } } } })],
    });
    const notify = stack.function('Notify', notifySource(url));
    notify.addEventSource(
      new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency: 2 }),
    );
  });

const steps = ['before the message is sent', 'after the message is sent', 'before the delivery', 'after the delivery'];

testOnPosix('after kill -9 at any step of a delivery, the next start delivers everything', async () => {
  const watcher = await startWatcher();
  const assembly = synthesizeDelivery(watcher.url);
  const dataDir = `${testFolder()}/data`;
  const written: string[] = [];
  for (const stopAt of [...steps, undefined]) {
    watcher.stopAt(stopAt);
    const { child, store } = await startProcess(dataDir, assembly);
    const stopped = watcher.stopped();
    const puts = Array.from({ length: 5 }, async (_, number) => {
      const id = `${stopAt}: ${number}`;
      await clientOf(store).send(new PutCommand({ TableName: 'things', Item: { id, list: 'inbox' } }));
      written.push(id);
    });
    await Promise.all(puts);
    if (stopAt === undefined) await expect.poll(() => watcher.delivered).toEqual(new Set(written));
    else await stopped;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
