import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Contact, contactSchema } from '../acceptance/contact.ts';
import type { Emulator } from './emulator.ts';
import { type Mail, mailsAt } from './mailbox.ts';
import { messagesIn } from './queues.ts';
import type { Received, Receiver } from './receiver.ts';
import { until } from './until.ts';
import { mailed } from './versions.ts';

const target = v.object({
  name: v.string(),
  kind: v.string(),
  address: v.string(),
  queue: v.string(),
  function: v.string(),
  secret: v.exactOptional(v.string()),
});

export type Target = v.InferOutput<typeof target>;

/** Who is told, by the outputs of a stack. */
export const targetsIn = (outputs: Readonly<Record<string, string>>): Target[] =>
  Object.entries(outputs)
    .filter(([name]) => name.startsWith('Notify'))
    .map(([, value]) => v.parse(v.pipe(v.string(), v.parseJson(), target), value));

const notification = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    type: v.picklist(['contact.created', 'contact.released']),
    timestamp: v.string(),
    data: contactSchema,
  }),
);

/** What a signed webhook tells. */
export const read = ({ body }: Received): v.InferOutput<typeof notification> => v.parse(notification, body);

export interface Arrived {
  readonly mails: readonly Mail[];
  readonly webhook: Received;
  readonly slack: Received;
}

/** What arrives where somebody is told. */
export interface Arrivals {
  /** The signed webhooks about a contact request, each try. */
  webhooks(id: string): Received[];
  slack(id: string): Received[];
  mails(id: string): Promise<Mail[]>;
  /** Waits for a contact request, until every target has been told of it as often as said. */
  everywhere(contact: Pick<Contact, 'id'>, times?: number): Promise<Arrived>;
  /** … every target but the signed webhook's. */
  elsewhere(contact: Pick<Contact, 'id'>): Promise<void>;
  /** Waits until nothing is left to tell. */
  rest(): Promise<void>;
}

export const arrivalsAt = (
  emulator: Emulator,
  receivers: { readonly standard: Receiver; readonly slack: Receiver },
  targets: readonly Target[],
  signal: AbortSignal,
): Arrivals => {
  const about = ({ received }: Receiver, id: string) => received.filter(({ body }) => body.includes(id));
  const webhooks = (id: string) => about(receivers.standard, id);
  const slack = (id: string) => about(receivers.slack, id);
  const mails = async (id: string) => (await mailsAt(emulator)).filter(({ text }) => text.includes(id));
  const hasMails = async (id: string, times: number) => {
    const { length } = await mails(id);
    return length >= times * mailed.to.length || undefined;
  };
  return {
    webhooks,
    slack,
    mails,
    everywhere: ({ id }, times = 1) =>
      until(
        `${id} at every target, ${times} times`,
        async () => {
          const [webhook, message] = [webhooks(id), slack(id)].map((all) => all[times - 1]);
          if (!webhook || !message || !(await hasMails(id, times))) return undefined;
          return { mails: (await mails(id)).slice(-mailed.to.length), webhook, slack: message };
        },
        signal,
      ),
    elsewhere: async ({ id }) => {
      await until(`${id} by mail and at Slack`, () => (slack(id).length > 0 ? hasMails(id, 1) : undefined), signal);
      assert.equal((await mails(id)).length, mailed.to.length);
    },
    rest: async () => {
      const isEmpty = async ({ queue }: Target) => (await messagesIn(emulator, queue)).length === 0;
      const areEmpty = async () => (await Promise.all(targets.map(isEmpty))).every(Boolean) || undefined;
      await until('empty queues', areEmpty, signal);
    },
  };
};
