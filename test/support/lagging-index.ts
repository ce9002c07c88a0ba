import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { contactsTable } from '../../functions/contacts/table.ts';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';
import { client, createTable } from './tables.ts';

const id = v.object({ id: v.string() });

/** A request to a table. */
const request = v.object({
  TableName: v.string(),
  IndexName: v.optional(v.string()),
  Key: v.optional(id),
  Item: v.optional(id),
});

interface Copy {
  readonly id: string;
  readonly item: Record<string, unknown> | undefined;
  /** The time at which the index shows it. */
  readonly due: number;
}

/**
 * A client of a contacts table whose index lags behind, as DynamoDB's can: a second table, which gets each write late, answers
 * the queries.
 * @param time the time, in milliseconds
 * @param nextLag the delay of the next write, in milliseconds
 */
export const createLaggingClient = async (
  table: string,
  time: () => number,
  nextLag: () => number,
): Promise<DynamoDBDocumentClient> => {
  const late = await createTable(contactsTable);
  const copies: Copy[] = [];

  const copy = async (key: string) => {
    const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id: key } }));
    // Writes of one item stay in order.
    const before = copies.findLast(({ id }) => id === key)?.due ?? 0;
    copies.push({ id: key, item, due: Math.max(time() + nextLag(), before) });
  };

  const takeDue = () => {
    const at = copies.findIndex(({ due }) => due <= time());
    return at === -1 ? undefined : copies.splice(at, 1)[0];
  };

  /** Writes the due copies into the index, one after the other. */
  let caughtUp = Promise.resolve();
  const catchUp = () => {
    caughtUp = caughtUp.then(async () => {
      for (let next = takeDue(); next; next = takeDue()) {
        const { id: key, item } = next;
        if (item) await client.send(new PutCommand({ TableName: late, Item: item }));
        else await client.send(new DeleteCommand({ TableName: late, Key: { id: key } }));
      }
    });
    return caughtUp;
  };

  const lagging = createDocumentClient();
  lagging.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { TableName, IndexName, Key, Item } = v.parse(request, args.input);
        if (TableName !== table) return next(args);
        if (IndexName !== undefined) {
          await catchUp();
          return next({ ...args, input: { ...args.input, TableName: late } });
        }
        const result = await next(args);
        const named = Key ?? Item;
        if (named && !commandName?.startsWith('Get')) await copy(named.id);
        return result;
      },
    { step: 'initialize', priority: 'high' },
  );
  return lagging;
};
