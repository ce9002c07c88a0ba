import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { contactsTable } from '../../functions/contacts/table.ts';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';
import { client, createTable } from './tables.ts';

const id = v.object({ id: v.string() });

/** What is asked of a table. */
const request = v.object({
  TableName: v.string(),
  IndexName: v.optional(v.string()),
  Key: v.optional(id),
  Item: v.optional(id),
});

interface Copy {
  readonly id: string;
  readonly item: Record<string, unknown> | undefined;
  /** When the index has it. */
  readonly due: number;
}

/**
 * A client of a contacts table whose index lags behind its items, as DynamoDB's may: what is asked of the index, a second
 * table answers, to which each write comes late.
 * @param time the time, in milliseconds
 * @param nextLag how late the next write comes to the index, in milliseconds
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
    // Writes of one item come in their order.
    const before = copies.findLast(({ id }) => id === key)?.due ?? 0;
    copies.push({ id: key, item, due: Math.max(time() + nextLag(), before) });
  };

  /** The copies of one item are taken in their order, since none is due before an earlier one. */
  const takeDue = () => {
    const at = copies.findIndex(({ due }) => due <= time());
    return at === -1 ? undefined : copies.splice(at, 1)[0];
  };

  /** Gives the index what is due, one after the other, whoever asks. */
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
