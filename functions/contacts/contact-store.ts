import { createHash, randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ContactFile } from '../files/file.ts';
import { existingItem, wasRetried } from '../shared/dynamodb.ts';
import { type ByteLimit, type ListOrder, type ListPage, readListPage } from '../shared/list-page.ts';
import { uuidFromText } from '../shared/uuid.ts';
import {
  type Contact,
  type ContactFields,
  contentNames,
  type SpamReason,
  type StaffContact,
  staffContact,
  storedContact,
} from './contact.ts';
import {
  contactsTable,
  expiring,
  isExpired,
  listKeys,
  listPartitionOf,
  notExpired,
  toSeconds,
} from './contacts-table.ts';

export interface NewContact {
  /** @defaultValue made of the storage key, or random */
  readonly id?: string;
  readonly fields: ContactFields;
  /** Why it is spam. */
  readonly spam: SpamReason | false;
  /** The origin of the page that posted. @defaultValue unknown */
  readonly site?: string | undefined;
  readonly createdAt: Date;
  /** @defaultValue never */
  readonly expiresAt?: Date;
  /** Makes a second create with the same content find the first. */
  readonly storageKey?: string | undefined;
  /** The visitor gets a confirmation by email. @defaultValue false */
  readonly getsConfirmation?: boolean;
  /** @defaultValue none */
  readonly files?: readonly ContactFile[] | undefined;
  /** Identifies the names and contents of its files. */
  readonly filesHash?: string | undefined;
  /** The random part of the keys of its files, which are stored before it. */
  readonly upload?: string;
}

/** A contact request that this create stored, or an earlier one with the same key and content. */
export interface StoredContact {
  readonly outcome: 'created' | 'replayed';
  readonly contact: Contact;
}

/** The outcome of a create. `conflict`: the key was used before with other content. */
export type CreateResult = StoredContact | { readonly outcome: 'conflict' };

/** A contact request as staff see it, and how long it is kept. */
export interface KeptContact {
  readonly contact: StaffContact;
  /** The random part of the keys of its files. @defaultValue it has none */
  readonly upload?: string;
  /** @defaultValue never */
  readonly expiresAt?: Date;
}

/** The item of a contact request, parsed to `KeptContact`. */
export const keptContact = v.pipe(
  v.object({ ...staffContact.entries, ...expiring.entries, [contactsTable.upload]: v.exactOptional(v.string()) }),
  v.transform(
    ({ expiresAt, upload, ...contact }): KeptContact => ({
      contact,
      ...(upload !== undefined && { upload }),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt * 1000) }),
    }),
  ),
);

const idOfKey = (storageKey: string): string => uuidFromText(`Idempotency-Key:${storageKey}`);

/** The id of a new contact request, which its files need before it is stored. */
export const newIdOf = ({ storageKey }: Pick<NewContact, 'storageKey'>): string =>
  storageKey === undefined ? randomUUID() : idOfKey(storageKey);

const contactOf = (input: NewContact): Contact => {
  const { createdAt, fields, site, files } = input;
  const { form, campaign, extra, ...others } = fields;
  return {
    id: input.id ?? newIdOf(input),
    createdAt: createdAt.toISOString(),
    ...others,
    ...(site !== undefined && { site }),
    ...(form !== undefined && { form }),
    ...(campaign !== undefined && { campaign }),
    ...(extra && { extra }),
    ...(files && { files: files.map(({ name, type, size }) => ({ name, type, size })) }),
  };
};

/** The fields of these names, sorted, so that a hash does not depend on the order in which they were sent. */
const sorted = (fields: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  names
    .filter((name) => fields[name] !== undefined)
    .sort()
    .map((name) => [name, fields[name]] as const);

/**
 * Identifies what was sent. It does not depend on the spam mark: otherwise a replay could show a bot that it was caught.
 * @param contact what else it holds does not count
 */
export const contentHash = ({ extra, ...others }: ContactFields): string => {
  const content = sorted({ ...others, extra: extra && sorted(extra, Object.keys(extra)) }, contentNames);
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
};

const identified = v.object({ filesHash: v.exactOptional(v.string()) });

/**
 * The outcome if another create has stored this item under the same key. A replay gets the first response. `releasedAt` would show
 * that it was caught, and so would the reason, which `storedContact` leaves out.
 */
const earlierOf = (item: unknown, { fields, filesHash }: NewContact): CreateResult => {
  const { releasedAt: _, ...contact } = v.parse(storedContact, item);
  const isSame = contentHash(contact) === contentHash(fields) && v.parse(identified, item).filesHash === filesHash;
  return isSame ? { outcome: 'replayed', contact } : { outcome: 'conflict' };
};

/** The contact requests in DynamoDB. */
export const contactStore = (client: DynamoDBDocumentClient, table: string) => {
  /** Writes over an item only if that has expired. */
  const putOf = (created: Contact, { spam, expiresAt, createdAt, getsConfirmation, filesHash, upload }: NewContact) =>
    new PutCommand({
      TableName: table,
      Item: {
        ...created,
        ...(created.extra && { extra: JSON.stringify(created.extra) }),
        ...(created.files && { files: JSON.stringify(created.files), filesHash, [contactsTable.upload]: upload }),
        ...listKeys(created, spam !== false),
        ...(spam && ({ spamReason: spam } satisfies Pick<StaffContact, 'spamReason'>)),
        ...(expiresAt && { expiresAt: toSeconds(expiresAt) }),
        ...(getsConfirmation && { [contactsTable.confirmation.attribute]: contactsTable.confirmation.due }),
      },
      ConditionExpression: 'attribute_not_exists(id) OR expiresAt <= :now',
      ExpressionAttributeValues: { ':now': toSeconds(createdAt) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });

  /** Reads a contact request, with its last write, and when it expires. */
  const read = async (id: string, now: Date): Promise<KeptContact | undefined> => {
    const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
    if (!item || isExpired(v.parse(expiring, item), now)) return undefined;
    return v.parse(keptContact, item);
  };

  return {
    /** Stores a contact request with one conditional write; it is durable when this returns. */
    async create(input: NewContact): Promise<CreateResult> {
      const created = contactOf(input);
      try {
        await client.send(putOf(created, input));
        return { outcome: 'created', contact: created };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const earlier = earlierOf(existingItem(error), input);
        if (earlier.outcome === 'conflict') return earlier;
        // With the same time, an earlier attempt of this very create wrote the item, and its response was lost.
        const isOwn = wasRetried(error) && earlier.contact.createdAt === created.createdAt;
        return isOwn ? { ...earlier, outcome: 'created' } : earlier;
      }
    },

    /**
     * What `create` would respond if it has stored a contact request under this key; else undefined. It writes nothing, since its
     * condition never holds, but such a write shows the item that is there: so create-contact needs no right to read the table.
     */
    async find(input: NewContact): Promise<CreateResult | undefined> {
      const { storageKey, createdAt } = input;
      if (storageKey === undefined) return undefined;
      try {
        await client.send(
          new PutCommand({
            TableName: table,
            Item: { id: idOfKey(storageKey) },
            ConditionExpression: 'attribute_exists(id) AND attribute_not_exists(id)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const existing = existingItem(error);
        if (existing === undefined || isExpired(v.parse(expiring, existing), createdAt)) return undefined;
        return earlierOf(existing, input);
      }
      return undefined;
    },

    get: async (id: string, now: Date): Promise<StaffContact | undefined> => (await read(id, now))?.contact,

    read,

    /**
     * Deletes for good. It reads first: if an attempt's response is lost, the retry finds nothing, and only this read shows
     * that the item existed.
     * @returns whether it existed. One of several simultaneous callers gets true; more only if the SDK retried
     */
    async delete(id: string, now: Date): Promise<boolean> {
      const key = { TableName: table, Key: { id } };
      const { Item: item } = await client.send(
        new GetCommand({ ...key, ConsistentRead: true, ProjectionExpression: contactsTable.readByDelete.join(', ') }),
      );
      if (!item || (v.is(expiring, item) && isExpired(item, now))) return false;
      try {
        await client.send(new DeleteCommand({ ...key, ConditionExpression: 'attribute_exists(id)' }));
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return wasRetried(error);
        throw error;
      }
    },
  };
};

export type ContactStore = ReturnType<typeof contactStore>;

export interface ContactRange {
  /** @defaultValue newest first */
  readonly order?: ListOrder;
  /** Bounds the time of entering the list: RFC 3339, UTC, milliseconds; inclusive. */
  readonly since?: string | undefined;
  /** Bounds the time of entering the list: RFC 3339, UTC, milliseconds; exclusive. */
  readonly until?: string | undefined;
  /** Only spam, or only the rest. */
  readonly spam: boolean;
  /** Leaves out contact requests that have expired by then. @defaultValue leaves out none */
  readonly now?: Date;
}

export interface ContactQuery extends ContactRange {
  readonly limit: number;
  /** The sort key of the previous page's last item. */
  readonly after?: string | undefined;
  readonly now: Date;
  /** Lists only those for which it holds. @defaultValue all */
  readonly keeps?: ((contact: StaffContact) => boolean) | undefined;
  readonly byteLimit?: ByteLimit<StaffContact>;
  /** Whether the page must end. @defaultValue it need not */
  readonly isOver?: (() => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The query of a list for `readListPage`. */
export const listQueryOf = ({ order = 'descending', since, until, spam, now }: ContactRange) => ({
  index: contactsTable.listIndex,
  partition: listPartitionOf(spam),
  order,
  from: since,
  // Sort keys are a time, `#` and an id. So the sort keys of this very time come after it, and `until` is exclusive.
  to: until,
  ...(now && { filter: notExpired(now) }),
});

/** The list of contact requests in DynamoDB. Separate, so that other functions do not bundle the code for lists. */
export const contactListStore = (client: DynamoDBDocumentClient, table: string) => ({
  list(query: ContactQuery): Promise<ListPage<StaffContact>> {
    return readListPage({ ...query, ...listQueryOf(query), client, table, schema: staffContact });
  },
});

export type ContactListStore = ReturnType<typeof contactListStore>;
