import { once } from 'node:events';
import { createServer } from 'node:http';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';
import { listen } from '../../../../lib/local/host/listen.ts';

const deliverySchema = v.object({
  target: v.string(),
  event: v.object({
    Records: v.array(
      v.looseObject({
        messageId: v.string(),
        receiptHandle: v.string(),
        body: v.string(),
        attributes: v.record(v.string(), v.string()),
        eventSourceARN: v.string(),
      }),
    ),
  }),
});

/** What a function was invoked with. */
export type Delivery = v.InferOutput<typeof deliverySchema>;

/**
 * What a function does with a delivery: `done`; `failed`, which it reports; `thrown`; makes it wait for so many seconds, and
 * reports it as failed; or answers something of its own.
 */
export type Reaction = 'done' | 'failed' | 'thrown' | number | { readonly answers: unknown };

/**
 * A bundle's source: its handler asks the receiver what to do with each event, as the target that the receiver knows it by.
 * It signs as the host asks it to, and calls SQS where its variables say.
 */
export const deliveringSource = (target: string, receiverUrl: string) => `
const { AWS_ACCESS_KEY_ID: id, AWS_ENDPOINT_URL_SQS: sqs, QUEUE_URL: QueueUrl } = process.env;
const changeVisibility = async (ReceiptHandle, VisibilityTimeout) => {
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'AmazonSQS.ChangeMessageVisibility',
    Authorization: 'AWS4-HMAC-SHA256 Credential=' + id + '/20000101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=x',
  };
  const body = JSON.stringify({ QueueUrl, ReceiptHandle, VisibilityTimeout });
  const answer = await fetch(sqs, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
};
export const handler = async (event) => {
  const body = JSON.stringify({ target: '${target}', event });
  const reaction = await (await fetch('${receiverUrl}', { method: 'POST', body })).json();
  if (reaction === 'thrown') throw new Error('thrown on purpose');
  if (reaction === 'done') return;
  if (reaction.answers) return reaction.answers;
  const batchItemFailures = event.Records.map(({ messageId }) => ({ itemIdentifier: messageId }));
  if (typeof reaction === 'number') for (const { receiptHandle } of event.Records) await changeVisibility(receiptHandle, reaction);
  return { batchItemFailures };
};`;

/** Who the functions of a test ask, until the test ends. */
export const createReceiver = async () => {
  const deliveries: Delivery[] = [];
  let react: (delivery: Delivery) => Reaction | Promise<Reaction> = () => 'done';
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const delivery = v.parse(deliverySchema, JSON.parse(text));
    deliveries.push(delivery);
    server.emit('delivery');
    response.end(JSON.stringify(await react(delivery)));
  });
  const { port } = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const to = (target: string) => deliveries.filter((delivery) => delivery.target === target);
  return {
    url: `http://127.0.0.1:${port}/`,
    /** From now on functions do this. */
    answer: (given: typeof react): void => {
      react = given;
    },
    to,
    /** The deliveries to a target, once there are so many. */
    delivered: async (target: string, count: number): Promise<readonly Delivery[]> => {
      while (to(target).length < count) await once(server, 'delivery');
      return to(target);
    },
  };
};

export type Receiver = Awaited<ReturnType<typeof createReceiver>>;

/** The one record of a delivery, and what the stream told in it. */
export const recordOf = (delivery: Delivery | undefined) => {
  const record = delivery?.event.Records[0];
  if (!record) throw new Error('There is no record');
  return { ...record, told: JSON.parse(record.body) };
};
