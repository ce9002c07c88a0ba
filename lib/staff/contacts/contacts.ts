import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { cleanText } from '../../../functions/clean-text.ts';
import { type Contact, firstField } from '../../../functions/contacts/contact.ts';
import { contactStore, listKeys } from '../../../functions/contacts/store.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { LongWork } from '../context.ts';
import { allPages, watchPages } from '../tables/pages.ts';
import type { StaffTable } from '../tables/tables.ts';

const { partitionKey, sortKey } = contactsTable.listIndex;

/** What a page of the list holds at most. */
const pageSize = 1000;

/** How many contact requests are deleted at the same time. */
const deletesAtOnce = 10;

/** Before everything: at this time no contact request has expired. */
const earliest = new Date(0);

/** Which contact requests. */
export interface ContactRange {
  /** RFC 3339, UTC, milliseconds; inclusive. @defaultValue from the first on */
  readonly since?: string | undefined;
  /** RFC 3339, UTC, milliseconds; exclusive. @defaultValue to the last */
  readonly until?: string | undefined;
  /** Only those that a page of this origin posted. @defaultValue all */
  readonly site?: string | undefined;
  /** Only those marked as spam, instead of only the others. */
  readonly spam: boolean;
  /** Those that have expired by then are left out. */
  readonly now: Date;
}

/**
 * Contact requests, newest first, page by page.
 * @param leaveOut is told the id of each that cannot be read
 */
export async function* contactPages(
  { client, table }: StaffTable,
  { site, ...range }: ContactRange,
  leaveOut: (id: string) => void,
): AsyncGenerator<readonly Contact[]> {
  const store = contactStore(client, table);
  const pages = allPages((after) => store.list({ ...range, limit: pageSize, after }), leaveOut);
  for await (const page of pages) yield page.filter((contact) => site === undefined || contact.site === site);
}

/**
 * Makes a normal contact request of one that is marked as spam: it moves to the normal list, where its place is now.
 * @throws {StaffError} when there is no such contact request, or it is not marked as spam
 */
export const releaseContact = async ({ client, table }: StaffTable, id: string, now: Date): Promise<void> => {
  const store = contactStore(client, table);
  const find = async () => {
    const contact = await store.get(id, now);
    if (contact) return contact;
    throw new StaffError(`There is no contact request ${id}.`);
  };
  const releasedAt = now.toISOString();
  const keys = listKeys({ ...(await find()), releasedAt }, false);
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { id },
        UpdateExpression: 'SET #partition = :inbox, #sort = :sort, releasedAt = :now',
        ConditionExpression: 'begins_with(#partition, :spam)',
        ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
        ExpressionAttributeValues: {
          ':inbox': keys[partitionKey],
          ':sort': keys[sortKey],
          ':now': releasedAt,
          ':spam': contactsTable.listPartitions.spam,
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Released at this very time: by an attempt whose answer was lost, so that the SDK tried again.
    if ((await find()).releasedAt === releasedAt) return;
    throw new StaffError(`The contact request ${id} is not marked as spam.`);
  }
};

/** An address as addresses are compared. */
const comparable = (address: string) => cleanText(address).toLowerCase();

/**
 * The ids of every contact request with an email address, whatever its case: spam and those that have expired too. The
 * list follows a write within a second, so one that comes just then may be missing.
 * @param leaveOut is told the id of each that cannot be read
 */
export const findContactsOf = async (
  contacts: StaffTable,
  email: string,
  work: LongWork,
  leaveOut: (id: string) => void,
): Promise<string[]> => {
  const sought = comparable(email);
  const everything = async function* () {
    for (const spam of [false, true]) yield* contactPages(contacts, { spam, now: earliest }, leaveOut);
  };
  const ids: string[] = [];
  for await (const page of watchPages(everything(), work)) {
    const found = page.filter((contact) => comparable(contact[firstField] ?? '') === sought);
    ids.push(...found.map(({ id }) => id));
  }
  return ids;
};

/**
 * Deletes contact requests for good.
 * @returns how many were still there
 */
export const eraseContacts = async (
  { client, table }: StaffTable,
  ids: readonly string[],
  { signal, report }: LongWork,
): Promise<number> => {
  const store = contactStore(client, table);
  const queue = ids.values();
  let erased = 0;
  const work = async () => {
    for (const id of queue) {
      signal.throwIfAborted();
      if (await store.delete(id, earliest)) erased += 1;
      report(erased);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: deletesAtOnce }, work));
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed) throw failed.reason;
  return erased;
};
