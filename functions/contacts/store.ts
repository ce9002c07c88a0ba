import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Condition, type ListOrder, type ListPage, type PageRoom, readListPage } from '../list-page.ts';
import { uuidOf } from '../uuid.ts';
import { type Contact, type ContactFields, storedContact } from './contact.ts';
import { contentHash, isHashOf } from './content-hash.ts';
import { contactsTable } from './table.ts';

/** How many partitions the list is spread over; the number may grow, never shrink (docs/decisions/0002). */
const shardCount = 10;

/** When a contact request expires, in seconds since 1970. */
const expiring = v.object({ expiresAt: v.exactOptional(v.number()) });

/** What the store keeps with a contact request for itself. */
const storedRecord = v.object({ ...expiring.entries, contentHash: v.exactOptional(v.string()) });

export interface NewContact {
  readonly fields: ContactFields;
  readonly spam: boolean;
  /** The origin of the page that posted. @defaultValue none that is known */
  readonly site?: string | undefined;
  readonly createdAt: Date;
  /** When it is no longer to be shown. @defaultValue never */
  readonly expiresAt?: Date;
  /** Makes a second create with the same content find the first. */
  readonly idempotencyKey?: string | undefined;
}

/** What became of a create: `conflict` means that the key was used before with other content. */
export type CreateResult =
  | { readonly outcome: 'created' | 'replayed'; readonly contact: Contact }
  | { readonly outcome: 'conflict' };

/** Which contact requests. */
export interface ContactRange {
  /** @defaultValue newest first */
  readonly order?: ListOrder;
  /** Bounds the place: RFC 3339, UTC, milliseconds; inclusive. */
  readonly since?: string | undefined;
  /** Bounds the place: RFC 3339, UTC, milliseconds; exclusive. */
  readonly until?: string | undefined;
  /** Only those marked as spam, instead of only the others. */
  readonly spam: boolean;
  /** Those that have expired by then are left out. @defaultValue none is */
  readonly now?: Date;
}

export interface ContactQuery extends ContactRange {
  readonly limit: number;
  /** The sort key that the page before ended with. */
  readonly after?: string | undefined;
  readonly now: Date;
  readonly room?: PageRoom<Contact>;
  readonly signal?: AbortSignal | undefined;
}

const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);

const isExpired = ({ expiresAt = Infinity }: v.InferOutput<typeof expiring>, now: Date) => expiresAt <= toSeconds(now);

/** Whether an earlier attempt may have done what this one finds done: its answer was lost, and the SDK tried again. */
const wasTriedAgain = ({ $metadata }: ConditionalCheckFailedException) => ($metadata.attempts ?? 1) > 1;

const notExpired = (now: Date): Condition => ({
  expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now',
  values: { ':now': toSeconds(now) },
});

const shardOf = (shard: number, spam: boolean) => contactsTable.listPartitions[spam ? 'spam' : 'inbox'] + shard;

const partitionsOf = (spam: boolean) => Array.from({ length: shardCount }, (_, shard) => shardOf(shard, spam));

/** The list partition of an id. An id is random or itself a hash, so its last digits spread evenly. */
export const listPartition = (id: string, spam: boolean): string =>
  shardOf(Number.parseInt(id.slice(-8), 16) % shardCount, spam);

/** The place of a contact request in its list: when it was created, or released from spam (docs/decisions/0014). */
export const placeOf = ({ createdAt, releasedAt }: Pick<Contact, 'createdAt' | 'releasedAt'>): string =>
  releasedAt ?? createdAt;

/** Where the index has a contact request. */
export const listKeys = (contact: Pick<Contact, 'id' | 'createdAt' | 'releasedAt'>, spam: boolean) => ({
  [contactsTable.listIndex.partitionKey]: listPartition(contact.id, spam),
  [contactsTable.listIndex.sortKey]: `${placeOf(contact)}#${contact.id}`,
});

/** How contact requests are found in the list. */
export const listQueryOf = ({ order = 'descending', since, until, spam, now }: ContactRange) => ({
  index: contactsTable.listIndex,
  partitions: partitionsOf(spam),
  order,
  from: since,
  // A sort key goes on with `#` and the id: those of the time itself come after it, and are left out.
  to: until,
  ...(now && { filter: notExpired(now) }),
});

/** The contact requests in DynamoDB. */
export const contactStore = (client: DynamoDBDocumentClient, table: string) => {
  const read = async (id: string, now: Date) => {
    const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
    if (!item) return undefined;
    const record = v.parse(storedRecord, item);
    if (isExpired(record, now)) return undefined;
    return { contact: v.parse(storedContact, item), contentHash: record.contentHash };
  };

  return {
    /** Stores a contact request with one conditional write; it is durable when this returns. */
    async create(input: NewContact): Promise<CreateResult> {
      const { idempotencyKey, expiresAt, site } = input;
      const { extra, ...fields } = input.fields;
      const id = idempotencyKey === undefined ? randomUUID() : uuidOf(`Idempotency-Key:${idempotencyKey}`);
      const createdAt = input.createdAt.toISOString();
      const created: Contact = {
        id,
        createdAt,
        ...fields,
        ...(site !== undefined && { site }),
        ...(extra && { extra }),
      };
      try {
        await client.send(
          new PutCommand({
            TableName: table,
            Item: {
              ...created,
              ...(extra && { extra: JSON.stringify(extra) }),
              contentHash: contentHash(input.fields),
              ...listKeys(created, input.spam),
              ...(expiresAt && { expiresAt: toSeconds(expiresAt) }),
            },
            ConditionExpression: 'attribute_not_exists(id) OR expiresAt <= :now',
            ExpressionAttributeValues: { ':now': toSeconds(input.createdAt) },
          }),
        );
        return { outcome: 'created', contact: created };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const earlier = await read(id, input.createdAt);
        // Deleted since the write was refused: the key is free again.
        if (!earlier) return this.create(input);
        if (!isHashOf(earlier.contentHash, input.fields)) return { outcome: 'conflict' };
        // Of this very time: it is this write, made by an attempt whose answer was lost.
        const isOwn = wasTriedAgain(error) && earlier.contact.createdAt === createdAt;
        // The first answer again: it told nobody of a release, nor that there was something to release.
        const { releasedAt: _, ...contact } = earlier.contact;
        return { outcome: isOwn ? 'created' : 'replayed', contact };
      }
    },

    /** The contact request of an id, as of the last write. */
    async get(id: string, now: Date): Promise<Contact | undefined> {
      return (await read(id, now))?.contact;
    },

    /**
     * Deletes for good. It looks first: when the answer to an attempt is lost, only that tells whether what the next one
     * does not find was there.
     * @returns whether it was there: of many callers, one is told so, but where the store fails and they are tried again
     */
    async delete(id: string, now: Date): Promise<boolean> {
      const key = { TableName: table, Key: { id } };
      const { Item: item } = await client.send(
        new GetCommand({ ...key, ConsistentRead: true, ProjectionExpression: 'id, expiresAt' }),
      );
      if (!item || (v.is(expiring, item) && isExpired(item, now))) return false;
      try {
        await client.send(new DeleteCommand({ ...key, ConditionExpression: 'attribute_exists(id)' }));
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return wasTriedAgain(error);
        throw error;
      }
    },

    /** A page of the list. */
    list({ limit, after, room, signal, ...range }: ContactQuery): Promise<ListPage<Contact>> {
      return readListPage({
        ...listQueryOf(range),
        client,
        table,
        limit,
        after,
        schema: storedContact,
        room,
        signal,
      });
    },
  };
};

export type ContactStore = ReturnType<typeof contactStore>;
