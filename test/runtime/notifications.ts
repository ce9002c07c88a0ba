import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { listKeys } from '../../functions/contacts/contacts-table.ts';
import { createdContact } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import { type FakeAws, startFakeAws } from '../support/fake-aws.ts';
import type { Receiver } from '../support/receiver.ts';
import type { FunctionProcess } from './function-process.ts';

const message = v.object({ MessageBody: v.string() });

/** The AWS services besides the store that the functions of notifications call. */
export const startServices = (): Promise<FakeAws> =>
  startFakeAws(({ operation, input }) => {
    if (operation.endsWith('GetSecretValue')) {
      return { status: 200, body: { SecretString: Buffer.alloc(33).toString('base64'), CreatedDate: 0 } };
    }
    const sent = v.safeParse(message, input);
    const sum = sent.success && createHash('md5').update(sent.output.MessageBody).digest('hex');
    return { status: 200, body: { MessageId: 'message', ...(sum && { MD5OfMessageBody: sum }) } };
  });

/** Posts a contact request. @returns the event of the table's stream */
const post = async (baseUrl: string) => {
  const response = await sendOnce(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'visitor@example.com', message: 'Hello!' }),
  });
  const contact = v.parse(createdContact, response.body);
  const { id, createdAt } = contact;
  const image = Object.entries({ id, createdAt, ...listKeys(contact, false) }).map(([name, S]) => [name, { S }]);
  const dynamodb = { SequenceNumber: '1', NewImage: Object.fromEntries(image) };
  return { id, event: { Records: [{ eventName: 'INSERT', dynamodb }] } };
};

/** The event with which Lambda hands over a message of a queue. */
const queueEvent = (body: string) => {
  const attributes = { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) };
  return { Records: [{ messageId: 'message', receiptHandle: 'handle', body, attributes }] };
};

/** Invokes fan-out with a contact request, then notify with each message and with a sample for its target. */
export const notifyTargets = async (
  baseUrl: string,
  functionNamed: (part: string) => FunctionProcess,
  { calls }: FakeAws,
  { received }: Receiver,
): Promise<void> => {
  const fanOut = functionNamed('FanOut');
  const notify = functionNamed('Notify');
  const { id, event } = await post(baseUrl);
  const done = { ok: true, payload: { batchItemFailures: [] } };
  assert.deepEqual(await fanOut.invoke(event), done);
  const bodies = calls.flatMap(({ input }) => (v.is(message, input) ? [input.MessageBody] : []));
  assert.equal(bodies.length, 2);
  for (const body of bodies) {
    assert.deepEqual(await notify.invoke(queueEvent(body)), done);
    const { target } = v.parse(v.object({ target: v.string() }), JSON.parse(body));
    const sample = await notify.invoke({ sample: target });
    assert.equal(sample.ok && v.parse(v.object({ delivered: v.boolean() }), sample.payload).delivered, true);
  }
  const mails = calls.filter(({ operation }) => operation === 'POST /v2/email/outbound-emails');
  for (const came of [mails.map(({ input }) => JSON.stringify(input)), received.map(({ body }) => body)]) {
    assert.deepEqual(
      [came.length, came[0]?.includes(id)],
      [2, true],
      'each target gets the contact request and the sample',
    );
  }
};
