import assert from 'node:assert/strict';
import * as v from 'valibot';
import { listKeys } from '../../functions/contacts/place.ts';
import { contactSchema } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import { type FakeAws, startFakeAws } from '../support/fake-aws.ts';
import type { Receiver } from '../support/receiver.ts';
import type { FunctionProcess } from './function-process.ts';

/** What the functions that tell targets call besides the store, all of it sound. */
export const startServices = (): Promise<FakeAws> =>
  startFakeAws(({ operation }) => ({
    status: 200,
    body: operation.endsWith('GetSecretValue')
      ? { SecretString: Buffer.alloc(33).toString('base64'), CreatedDate: 0 }
      : { MessageId: 'message' },
  }));

/** A contact request that is stored, as the table's stream tells it in a message of a queue. */
const post = async (baseUrl: string) => {
  const answer = await sendOnce(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'visitor@example.com', message: 'Hello!' }),
  });
  const contact = v.parse(contactSchema, answer.body);
  const { id, createdAt } = contact;
  const image = Object.entries({ id, createdAt, ...listKeys(contact, false, 1) }).map(([name, S]) => [name, { S }]);
  const body = JSON.stringify({ eventName: 'INSERT', dynamodb: { NewImage: Object.fromEntries(image) } });
  const attributes = { ApproximateReceiveCount: '1', ApproximateFirstReceiveTimestamp: String(Date.now()) };
  return { id, event: { Records: [{ messageId: 'message', receiptHandle: 'handle', body, attributes }] } };
};

/** Has each target told of a contact request, and of the sample; looks what came. */
export const tellTargets = async (
  baseUrl: string,
  functions: readonly FunctionProcess[],
  { calls }: FakeAws,
  { received }: Receiver,
): Promise<void> => {
  const { id, event } = await post(baseUrl);
  for (const { invoke } of functions) {
    assert.deepEqual(await invoke(event), { ok: true, payload: { batchItemFailures: [] } });
    const sample = await invoke({ sample: true });
    assert.equal(sample.ok && v.parse(v.object({ told: v.boolean() }), sample.payload).told, true);
  }
  const mails = calls.filter(({ operation }) => operation === 'POST /v2/email/outbound-emails');
  for (const told of [mails.map(({ input }) => JSON.stringify(input)), received.map(({ body }) => body)]) {
    assert.deepEqual([told.length, told[0]?.includes(id)], [2, true], 'each target is told');
  }
};
