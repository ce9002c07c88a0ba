import { setImmediate } from 'node:timers/promises';
import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { contactsTable, listKeys } from '../../functions/contacts/table.ts';
import type { QueryClient } from '../../functions/shared/list-page.ts';

const { partitionKey, sortKey } = contactsTable.listIndex;

/** What a page of the list asks for, newest first. */
const query = v.object({
  Limit: v.number(),
  ScanIndexForward: v.literal(false),
  ExpressionAttributeValues: v.object({ ':partition': v.string() }),
  ExclusiveStartKey: v.optional(v.object({ [sortKey]: v.string() })),
});

/** As many connections as the SDK's client opens at most: further queries wait. */
const connections = 50;

/** What reading took. */
export interface Took {
  readonly milliseconds: number;
  readonly queries: number;
  readonly items: number;
}

/**
 * Contact requests, a second apart, where the service puts them, behind queries whose answers take their time on a clock
 * of their own, which nobody waits for.
 * @param latency what the next query takes, in milliseconds
 */
export const virtualStore = (ids: readonly string[], listShards: number, latency: () => number) => {
  const partitions = new Map<string, string[]>();
  for (const [index, id] of ids.entries()) {
    const keys = listKeys({ id, createdAt: new Date(index * 1000).toISOString() }, false, listShards);
    const partition = keys[partitionKey] ?? '';
    const sorted = partitions.get(partition) ?? [];
    sorted.push(keys[sortKey] ?? '');
    partitions.set(partition, sorted);
  }

  let now = 0;
  let open = 0;
  let queries = 0;
  let items = 0;
  const waiting: (() => void)[] = [];
  const due: { readonly at: number; readonly answer: () => void }[] = [];

  const begin = (answer: () => void) => {
    open += 1;
    due.push({ at: now + latency(), answer });
  };

  const client: QueryClient = {
    send({ input }): Promise<QueryCommandOutput> {
      const { Limit, ExpressionAttributeValues, ExclusiveStartKey } = v.parse(query, input);
      const sorted = partitions.get(ExpressionAttributeValues[':partition']) ?? [];
      const start = ExclusiveStartKey?.[sortKey];
      const end = start === undefined ? sorted.length : sorted.findLastIndex((sort) => sort < start) + 1;
      const found = sorted.slice(Math.max(0, end - Limit), end).reverse();
      queries += 1;
      items += found.length;
      const { promise, resolve } = Promise.withResolvers<QueryCommandOutput>();
      const answer = () =>
        resolve({
          $metadata: {},
          Items: found.map((sort) => ({ [sortKey]: sort })),
          ...(end > Limit && { LastEvaluatedKey: { [sortKey]: found.at(-1) } }),
        });
      if (open < connections) begin(answer);
      else waiting.push(() => begin(answer));
      return promise;
    },
  };

  return {
    client,
    /** Lets something be read, and tells what that took. */
    async time(read: () => Promise<unknown>): Promise<Took> {
      now = 0;
      queries = 0;
      items = 0;
      let isRead = false;
      const reading = read().finally(() => {
        isRead = true;
      });
      for (;;) {
        // What was answered has been dealt with by then.
        await setImmediate();
        if (isRead) break;
        due.sort((one, other) => other.at - one.at);
        const next = due.pop();
        if (!next) break;
        now = next.at;
        open -= 1;
        next.answer();
        waiting.shift()?.();
      }
      await reading;
      const milliseconds = now;
      due.length = 0;
      waiting.length = 0;
      open = 0;
      return { milliseconds, queries, items };
    },
  };
};
