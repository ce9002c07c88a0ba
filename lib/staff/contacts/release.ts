import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { contactStore } from '../../../functions/contacts/store.ts';
import { contactsTable, listKeys } from '../../../functions/contacts/table.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StaffTables } from '../tables/tables.ts';

const { partitionKey, sortKey } = contactsTable.listIndex;

/**
 * Makes a normal contact request of one that is marked as spam: it moves to the normal list, where its place is now.
 * @returns its `releasedAt`
 * @throws {StaffError} when there is no such contact request, or it is not marked as spam
 */
export const releaseContact = async (
  { client, contacts: table }: Pick<StaffTables, 'client' | 'contacts'>,
  id: string,
  now: Date,
): Promise<string> => {
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
        ConditionExpression: '#partition = :spam',
        ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
        ExpressionAttributeValues: {
          ':inbox': keys[partitionKey],
          ':sort': keys[sortKey],
          ':now': releasedAt,
          ':spam': contactsTable.listPartitions.spam,
        },
      }),
    );
    return releasedAt;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Released at this very time: by an attempt whose answer was lost, so that the SDK tried again.
    if ((await find()).releasedAt === releasedAt) return releasedAt;
    throw new StaffError(`The contact request ${id} is not marked as spam.`);
  }
};
