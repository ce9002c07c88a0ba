import { createServer } from 'node:http';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../lib/local/host/dynamodb/database.ts';
import { createEngine } from '../../../../lib/local/host/dynamodb/engine.ts';
import { createTables } from '../../../../lib/local/host/dynamodb/store-tables.ts';
import { readTemplate } from '../../../../lib/local/host/template/template.ts';
import { listen, stop } from '../../../support/server.ts';
import { clientOf, put, synthesizeTables, testFolder } from '../test-tables.ts';

test('an item and its index entries are one write, so that nothing can come between', async () => {
  const folder = testFolder();
  const database = await openDatabase(folder, () => {});
  if (!database) throw new Error('The folder is new.');
  let writes: string[][] = [];
  const write: typeof database.write = (operations) => {
    writes.push(operations.map(({ type, key }) => `${type} ${key.replace(/[-~].*/, '')}`));
    return database.write(operations);
  };
  const server = createServer(createEngine({ ...database, write }));
  const store = { endpoint: await listen(server), accessKeyId: 'any' };
  onTestFinished(async () => {
    await stop(server);
    await database.close();
  });
  const { tables, outputs } = await readTemplate(synthesizeTables(testFolder()));
  await createTables(store, folder, tables);
  const TableName = outputs['ThingsTable'];
  const client = clientOf(store);
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
