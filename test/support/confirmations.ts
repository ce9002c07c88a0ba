import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { CreateContactOptions } from '../../functions/forms/create.ts';
import { type ConfirmOptions, confirm } from '../../functions/notify/confirm.ts';
import { confirmationsTable, confirmedSites } from '../../functions/notify/confirm-settings.ts';
import type { Confirmation } from '../../functions/notify/confirmation-email.ts';
import { confirmationStore } from '../../functions/notify/confirmation-store.ts';
import { fanOut } from '../../functions/notify/fan-out.ts';
import type { TargetMessage } from '../../functions/notify/target.ts';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';
import { embeddedMetrics } from '../../functions/shared/metrics.ts';
import { germanSite, idIn, siteOrigin, startContacts } from './contacts.ts';
import { lambdaContext } from './event.ts';
import { noTimeout, queueEvent, recordOf } from './notifications.ts';
import { createTable } from './tables.ts';

interface ConfirmServiceOptions extends Partial<Omit<ConfirmOptions, 'store' | 'send'>> {
  /** What SES says. @defaultValue that it was sent */
  readonly send?: ConfirmOptions['send'];
  /** Settings of the form. @defaultValue a solved captcha */
  readonly settings?: Partial<Omit<CreateContactOptions, 'store' | 'count' | 'now'>>;
}

/** A form whose captcha is always solved, `fan-out` without targets, and the function `confirm`. */
export const startConfirm = async ({ send = async () => 'sent', settings, ...options }: ConfirmServiceOptions = {}) => {
  const now = options.now ?? (() => new Date('2026-03-01T12:00:00.000Z'));
  const contacts = await startContacts(now, { confirmation: true, captcha: async () => 'solved', ...settings });
  const client = createDocumentClient();
  let requests = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      requests += 1;
      return next(args);
    },
    { step: 'initialize' },
  );
  const sent: Confirmation[] = [];
  const queued: TargetMessage[] = [];
  const confirmations = await createTable(confirmationsTable);
  const confirmHandler = confirm({
    store: confirmationStore(client, contacts.table, confirmations),
    send: async (confirmation) => {
      const outcome = await send(confirmation);
      if (outcome === 'sent') sent.push(confirmation);
      return outcome;
    },
    addressKey: async () => 'the key of the hashes',
    ownAddresses: ['contact@example.com', 'Me@example.com'],
    perHour: 20,
    sites: confirmedSites({
      sites: [
        [siteOrigin, 'en'],
        [germanSite.origin, 'de'],
      ],
      withoutSite: 'example.com',
    }),
    templates: new Map([
      ['en', 'english'],
      ['de', 'german'],
      ['de order', 'german-order'],
    ]),
    count: embeddedMetrics('test', now),
    timeoutAfter: noTimeout,
    ...options,
    now,
  });
  const fanOutHandler = fanOut({
    targets: new Map(),
    confirms: true,
    send: async (message) => void queued.push(message),
    count: embeddedMetrics('test', now),
  });

  const announce = async (id: string, eventName?: string, writtenAt = now()): Promise<readonly TargetMessage[]> => {
    const before = queued.length;
    await fanOutHandler({ Records: [await recordOf(contacts.table, id, writtenAt, eventName)] }, lambdaContext(30_000));
    return queued.slice(before);
  };
  const deliver = (message: TargetMessage | string) =>
    confirmHandler(
      queueEvent(typeof message === 'string' ? message : JSON.stringify(message), { sentAt: now() }),
      lambdaContext(30_000),
    );
  return {
    contacts,
    sent,
    /** That of confirm. */
    client,
    /** How many requests confirm has sent to DynamoDB. */
    requests: () => requests,
    /** What confirm keeps: the hashes of addresses, and the counts of hours. */
    kept: async () =>
      (await client.send(new ScanCommand({ TableName: confirmations, ConsistentRead: true }))).Items ?? [],
    /** Lets fan-out see a contact request. @returns the messages for confirm */
    announce,
    deliver,
    /** Submits a form, and lets everything happen that follows. @returns the contact request's id */
    submit: async (body: object, origin: string | undefined = siteOrigin): Promise<string> => {
      const id = idIn(await contacts.post(body, { Origin: origin }));
      for (const message of await announce(id)) await deliver(message);
      return id;
    },
  };
};
