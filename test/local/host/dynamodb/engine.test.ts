import { createServer } from 'node:http';
import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../../../lib/local/host/dynamodb/database.ts';
import { createEngine, type Follow } from '../../../../lib/local/host/dynamodb/engine.ts';
import { createTables } from '../../../../lib/local/host/dynamodb/store-tables.ts';
import { readTemplate } from '../../../../lib/local/host/template/template.ts';
import { listen, stop } from '../../../support/server.ts';
import { clientOf, put, synthesizeTables, testFolder } from '../test-tables.ts';

/** dynalite on a database of a test's own. @param watch what it is given in place of the database */
const serve = async (watch: (database: Database) => Database, follow: Follow = () => undefined) => {
  const folder = testFolder();
  const database = await openDatabase(folder, () => {});
  if (!database) throw new Error('The folder is new.');
  const server = createServer(createEngine(watch(database), follow));
  const store = { endpoint: await listen(server), accessKeyId: 'any' };
  onTestFinished(async () => {
    await stop(server);
    await database.close();
  });
  const { tables, outputs } = await readTemplate(synthesizeTables(testFolder()));
  await createTables(store, folder, tables);
  return { store, client: clientOf(store), TableName: outputs['ThingsTable'] };
};

test('an item and its index entries are one write, so that nothing can come between', async () => {
  let writes: string[][] = [];
  const { store, client, TableName } = await serve((database) => ({
    ...database,
    write: (operations) => {
      writes.push(operations.map(({ type, key }) => `${type} ${key.replace(/[-~].*/, '')}`));
      return database.write(operations);
    },
  }));
  const move = {
    UpdateExpression: 'SET #list = :other',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':other': 'other' },
  };

  writes = [];
  await put(store, TableName, '1');
  await client.send(new UpdateCommand({ TableName, Key: { id: '1' }, ...move }));
  await client.send(new DeleteCommand({ TableName, Key: { id: '1' } }));
  expect(writes).toEqual([
    ['put index', 'put item'],
    ['del index', 'put index', 'put item'],
    ['del index', 'del item'],
  ]);
});

test('what follows on a change is in the write of the change, and is known once that is done', async () => {
  const events: string[] = [];
  const { store, TableName } = await serve(
    (database) => ({
      ...database,
      write: async (operations) => {
        await database.write(operations);
        if (operations.some(({ key }) => key.startsWith('item-'))) {
          events.push(operations.map(({ key }) => key.replace(/[-~].*/, '')).join(' '));
        }
      },
    }),
    (table, existing, item) => {
      expect(table.TableName).toBe(TableName);
      expect([existing, item]).toEqual([undefined, { id: { S: '1' }, list: { S: 'all' }, name: { S: 'one' } }]);
      return {
        operations: [{ type: 'put', key: 'queue-message', value: {} }],
        written: () => events.push('written'),
      };
    },
  );
  await put(store, TableName, '1');
  expect(events).toEqual(['index queue item', 'written']);
});

test('what a query has read from is closed after it, and does not pile up in memory', async () => {
  let open = 0;
  const { store, client, TableName } = await serve((database) => ({
    ...database,
    values: (range) => {
      const reader = database.values(range);
      const close = reader.close.bind(reader);
      open += 1;
      reader.close = () => {
        open -= 1;
        return close();
      };
      return reader;
    },
  }));
  for (const id of ['1', '2', '3']) await put(store, TableName, id);
  const query = {
    TableName,
    IndexName: 'list',
    KeyConditionExpression: '#list = :all',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':all': 'all' },
  };
  for (const Limit of [1, 2, 3, 4, 5]) await client.send(new QueryCommand({ ...query, Limit }));
  await expect.poll(() => open).toBe(0);
});
