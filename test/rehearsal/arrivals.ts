import * as v from 'valibot';
import { type Contact, contactSchema } from '../acceptance/contact.ts';
import type { Emulator } from './emulator.ts';
import { type Mail, mailsAt } from './mailbox.ts';
import type { Received, Receiver } from './receiver.ts';
import { until } from './until.ts';
import { mailed } from './versions.ts';

const target = v.object({
  name: v.string(),
  kind: v.picklist(['email', 'webhook', 'slack']),
  address: v.string(),
  /** The URL of its queue. */
  queue: v.string(),
  /** The ARN of a webhook's secret. */
  secret: v.exactOptional(v.string()),
});

export type Target = v.InferOutput<typeof target>;

/** The targets in the outputs of a stack. */
export const targetsIn = (outputs: Readonly<Record<string, string>>): Target[] =>
  Object.entries(outputs)
    .filter(([name]) => /^Notify(Email|Webhook|Slack)/.test(name))
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

/** The content of a signed webhook. */
export const read = ({ body }: Received): v.InferOutput<typeof notification> => v.parse(notification, body);

const peeked = v.object({
  messages: v.record(
    v.string(),
    v.record(v.string(), v.record(v.string(), v.array(v.object({ Body: v.string(), ReceiveCount: v.number() })))),
  ),
});

/** The messages of a queue, visible or not, without receiving them. */
export const messagesIn = async ({ endpoint }: Emulator, queueUrl: string) => {
  const response = await fetch(`${endpoint}/_ministack/sqs/messages?QueueUrl=${encodeURIComponent(queueUrl)}`);
  const { messages } = v.parse(peeked, await response.json());
  return Object.values(messages).flatMap((regions) =>
    Object.values(regions).flatMap((queues) => Object.values(queues).flat()),
  );
};

export interface Arrived {
  readonly mails: readonly Mail[];
  readonly webhook: Received;
  readonly slack: Received;
}

/** What arrives at the targets. */
export interface Arrivals {
  /** The signed webhooks about a contact request, each try. */
  webhooks(id: string): Received[];
  slack(id: string): Received[];
  mails(id: string): Promise<Mail[]>;
  /** How many notifications of a contact request arrived, at all targets together. */
  count(contact: Pick<Contact, 'id'>): Promise<number>;
  /** Waits until every target got a contact request. */
  everywhere(contact: Pick<Contact, 'id'>): Promise<Arrived>;
  /** … every target but the signed webhook's. */
  elsewhere(contact: Pick<Contact, 'id'>): Promise<void>;
  /** Waits until the webhook about a contact request was tried so often. */
  tries(contact: Pick<Contact, 'id'>, times: number): Promise<Received>;
  /** Waits until no queue has a message. */
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
  const allMails = async (id: string) => {
    const found = await mails(id);
    return found.length >= mailed.to.length ? found : undefined;
  };
  return {
    webhooks,
    slack,
    mails,
    count: async ({ id }) => webhooks(id).length + slack(id).length + (await mails(id)).length,
    everywhere: ({ id }) =>
      until(
        `${id} at every target`,
        async () => {
          const [[webhook], [message]] = [webhooks(id), slack(id)];
          const found = webhook && message && (await allMails(id));
          return found && { mails: found, webhook, slack: message };
        },
        signal,
      ),
    elsewhere: async ({ id }) => {
      await until(`${id} by mail and at Slack`, () => (slack(id).length > 0 ? allMails(id) : undefined), signal);
    },
    tries: ({ id }, times) => until(`try ${times} of ${id}`, () => webhooks(id)[times - 1], signal),
    rest: async () => {
      const isEmpty = async ({ queue }: Target) => (await messagesIn(emulator, queue)).length === 0;
      const areEmpty = async () => (await Promise.all(targets.map(isEmpty))).every(Boolean) || undefined;
      await until('empty queues', areEmpty, signal);
    },
  };
};
