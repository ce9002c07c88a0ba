import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { storedContact } from '../contacts/contact.ts';
import { contactsTable, expiring, isExpired, toSeconds } from '../contacts/contacts-table.ts';

const { readByConfirm, listPartitions } = contactsTable;

/** The parts of a contact request that confirm may read. */
const confirmedContact = v.object({
  ...v.pick(storedContact, ['id', 'createdAt', 'releasedAt', 'email', 'site', 'form']).entries,
  listPartition: v.string(),
  ...expiring.entries,
});

export type ConfirmedContact = Readonly<v.InferOutput<typeof confirmedContact>>;

export const isSpam = ({ listPartition }: ConfirmedContact): boolean => listPartition === listPartitions.spam;

const hour = 3_600_000;

/** An address gets one confirmation in so many milliseconds. */
const pause = 24 * hour;

const hourOf = (time: Date): string => `hour ${Math.floor(time.getTime() / hour)}`;

/** @param table that of the contact requests @param confirmations that of confirm */
export const confirmationStore = (client: DynamoDBDocumentClient, table: string, confirmations: string) => {
  /** @returns whether the condition held */
  const update = async (id: string, change: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<boolean> => {
    try {
      await client.send(new UpdateCommand({ TableName: confirmations, Key: { id }, ...change }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  return {
    get: async (id: string, now: Date): Promise<ConfirmedContact | undefined> => {
      const { Item: item } = await client.send(
        new GetCommand({
          TableName: table,
          Key: { id },
          ConsistentRead: true,
          ProjectionExpression: readByConfirm.join(', '),
        }),
      );
      if (!item || isExpired(v.parse(expiring, item), now)) return undefined;
      return v.parse(confirmedContact, item);
    },

    /**
     * Takes an address for a day.
     * @param by of this try alone: if a response is lost, the SDK's retry finds what the try itself has taken
     * @returns false if another try has taken it already
     */
    claim: (hash: string, by: string, now: Date): Promise<boolean> =>
      update(hash, {
        UpdateExpression: 'SET expiresAt = :end, takenBy = :by',
        ConditionExpression: 'attribute_not_exists(id) OR expiresAt <= :now OR takenBy = :by',
        ExpressionAttributeValues: { ':now': toSeconds(now), ':end': toSeconds(now) + pause / 1000, ':by': by },
      }),

    /**
     * Gives back an address that has got nothing, if this try has taken it. DynamoDB never removes what expired more than five years
     * ago.
     */
    release: async (hash: string, by: string, now: Date): Promise<void> => {
      await update(hash, {
        UpdateExpression: 'SET expiresAt = :now',
        ConditionExpression: 'takenBy = :by',
        ExpressionAttributeValues: { ':now': toSeconds(now), ':by': by },
      });
    },

    /** Counts one more in this hour of the clock. @returns false if there were `perHour` already */
    countInHour: (perHour: number, now: Date): Promise<boolean> =>
      update(hourOf(now), {
        UpdateExpression: 'SET expiresAt = :end ADD begun :one',
        ConditionExpression: 'attribute_not_exists(begun) OR begun < :most',
        ExpressionAttributeValues: { ':end': toSeconds(now) + (2 * hour) / 1000, ':one': 1, ':most': perHour },
      }),

    /** Takes back one that `countInHour` has counted. */
    uncountInHour: async (now: Date): Promise<void> => {
      await update(hourOf(now), { UpdateExpression: 'ADD begun :less', ExpressionAttributeValues: { ':less': -1 } });
    },
  };
};

export type ConfirmationStore = ReturnType<typeof confirmationStore>;
