import { join } from 'node:path';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { clientOf, get, openStack, put, synthesizeTables, testFolder } from '../test-tables.ts';

test("the template's tables are there, by their outputs, and stay", async () => {
  const folder = testFolder();
  const assembly = synthesizeTables(folder);
  const open = () => openStack(join(folder, 'data'), assembly);

  const first = await open();
  expect(first.outputs).toMatchObject({ ThingsTable: expect.stringMatching(/^local-Things\w+$/), NamedTable: 'named' });
  const things = first.outputs['ThingsTable'];
  await put(first, things, '1');
  await put(first, 'named', '2');
  await first.close();

  const second = await open();
  const { Items } = await clientOf(second).send(
    new QueryCommand({
      TableName: things,
      IndexName: 'list',
      KeyConditionExpression: '#list = :all',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':all': 'all' },
    }),
  );
  expect(Items).toEqual([{ id: '1', list: 'all', name: 'one' }]);
  expect(await get(second, 'named', '2')).toMatchObject({ id: '2' });
  await second.close();
});
