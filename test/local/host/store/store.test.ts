import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  DeleteCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type Attribute, AttributeType, type TablePropsV2 } from 'aws-cdk-lib/aws-dynamodb';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../lib/local/host/store/database.ts';
import { createEngine } from '../../../../lib/local/host/store/engine.ts';
import { createEntries, createTables } from '../../../../lib/local/host/store/entries.ts';
import { type Assembly, readTemplate } from '../../../../lib/local/host/template/template.ts';
import { listen, stop } from '../../../support/server.ts';
import { clientOf, get, list, openStack, put, string, synthesizeTables, testFolder } from '../test-tables.ts';

let dataDir: string;
let assembly: Assembly;

beforeEach(() => {
  const folder = testFolder();
  dataDir = join(folder, 'data');
  assembly = synthesizeTables(folder);
});

const open = async (changed = assembly) => {
  const store = await openStack(dataDir, changed);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  onTestFinished(close);
  return { ...store, close };
};

/** A query of the index `list` of things. */
const inList = (TableName: string | undefined, options: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName,
    IndexName: 'list',
    KeyConditionExpression: '#list = :all',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':all': 'all' },
    ...options,
  });

test("the template's tables are there, by their outputs, and stay", async () => {
  const first = await open();
  expect(first.outputs).toMatchObject({ ThingsTable: expect.stringMatching(/^local-Things\w+$/), NamedTable: 'named' });
  const things = first.outputs['ThingsTable'];
  await put(first, things, '1');
  await put(first, 'named', '2');
  await first.close();

  const second = await open();
  const { Items } = await clientOf(second).send(inList(things));
  expect(Items).toEqual([{ id: '1', list: 'all', name: 'one' }]);
  expect(await get(second, 'named', '2')).toMatchObject({ id: '2' });
});

const idsOf = (items: readonly Record<string, unknown>[] = []) => items.map(({ id }) => id);

test('queries and scans read in either direction, from any key, over more than a page of the file', async () => {
  const store = await open();
  const TableName = store.outputs['ThingsTable'];
  const client = clientOf(store);
  const ids = Array.from({ length: 230 }, (_, number) => String(1000 + number));
  await Promise.all(ids.map((id) => put(store, TableName, id)));

  const all = await client.send(inList(TableName));
  expect(idsOf(all.Items)).toEqual(ids);
  const backwards = await client.send(inList(TableName, { ScanIndexForward: false, Limit: 150 }));
  expect(idsOf(backwards.Items)).toEqual(ids.toReversed().slice(0, 150));
  const rest = await client.send(
    inList(TableName, { ScanIndexForward: false, ExclusiveStartKey: backwards.LastEvaluatedKey }),
  );
  expect(idsOf(rest.Items)).toEqual(ids.toReversed().slice(150));
  const between = await client.send(
    inList(TableName, {
      KeyConditionExpression: '#list = :all AND id BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':all': 'all', ':from': '1005', ':to': '1007' },
    }),
  );
  expect(idsOf(between.Items)).toEqual(['1005', '1006', '1007']);
  const scanned = await client.send(new ScanCommand({ TableName }));
  expect(idsOf(scanned.Items).toSorted()).toEqual(ids);
});

test('of many writes at once to an item, the last answered stands, in its index, too', async () => {
  const store = await open();
  const TableName = store.outputs['ThingsTable'];
  const client = clientOf(store);
  await put(store, TableName, '1');
  const move = (to: string) =>
    client.send(
      new UpdateCommand({
        TableName,
        Key: { id: '1' },
        UpdateExpression: 'SET #list = :to',
        ExpressionAttributeNames: { '#list': 'list' },
        ExpressionAttributeValues: { ':to': to },
      }),
    );
  await Promise.all(Array.from({ length: 20 }, (_, number) => move(`other ${number}`)));
  expect((await client.send(inList(TableName))).Items).toEqual([]);
  await move('all');
  expect((await client.send(inList(TableName))).Count).toBe(1);
  await client.send(new DeleteCommand({ TableName, Key: { id: '1' } }));
  expect((await client.send(inList(TableName))).Count).toBe(0);
});

test('an item, its entries of indexes and what follows on it are written together or not at all', async () => {
  const database = openDatabase(join(testFolder(), 'store.db'), () => {});
  if (!database) throw new Error('The folder is new.');
  const entries = createEntries(database);
  const { tables, outputs } = await readTemplate(assembly);
  await database.write(() => createTables(entries, '', tables));
  let fails = true;
  const follow = () => {
    entries.put('followed', {});
    if (fails) throw new Error('on purpose');
  };
  const engine = createEngine(entries, follow, () => {});
  const server = createServer(engine);
  const store = { endpoint: await listen(server), accessKeyId: 'any' };
  onTestFinished(async () => {
    await stop(server);
    await database.close();
  });
  const TableName = outputs['ThingsTable'];
  const written = async () => [
    await get(store, TableName, '1'),
    ...((await clientOf(store).send(inList(TableName))).Items ?? []),
    entries.get('followed'),
  ];

  await expect(put(store, TableName, '1')).rejects.toMatchObject({ name: 'InternalServerError' });
  expect(await written()).toEqual([undefined, undefined]);
  fails = false;
  await put(store, TableName, '1');
  expect(await written()).toEqual([{ id: '1', list: 'all', name: 'one' }, { id: '1', list: 'all', name: 'one' }, {}]);
});

const number = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

test.each<[string, Partial<TablePropsV2>]>([
  ['a key', { partitionKey: string('list') }],
  ['an index', { globalSecondaryIndexes: [list(string('id'), string('list'))] }],
  [
    'the type of an attribute',
    { partitionKey: number('id'), globalSecondaryIndexes: [list(string('list'), number('id'))] },
  ],
])('a stored table that differs from the template in %s stops the start', async (_, changes) => {
  await (await open()).close();
  await expect(open(synthesizeTables(testFolder(), changes))).rejects.toThrow(
    /^Table local-Things\w+ in .*store\.db has other keys or indexes than the template: /,
  );
  await open();
});

test('a client that hangs up in the middle of a request does not end the store', async () => {
  const store = await open();
  const socket = connect(Number(new URL(store.endpoint).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await put(store, 'named', '1');
  socket.destroy();
  await once(socket, 'close');
  expect(await get(store, 'named', '1')).toMatchObject({ id: '1' });
});

/** Overwrites a part of the store's file. */
const damage = (part: (content: Buffer) => Buffer) => {
  const file = join(dataDir, 'store.db');
  const content = readFileSync(file);
  part(content).fill('x');
  writeFileSync(file, content);
};

test.each([
  ['is no database', 0, 'file is not a database'],
  ['is damaged', 4096, 'database disk image is malformed'],
])('a file that %s is one line that says what to do', async (_, from, reason) => {
  await (await open()).close();
  damage((content) => content.subarray(from));
  await expect(open()).rejects.toThrow(
    RegExp(`^The embedded store .*store\\.db cannot be used \\(${reason}\\): restore the data directory from a copy, `),
  );
});

test.each<[string, Parameters<typeof damage>[0], string]>([
  ['its pages', (content) => content.subarray(-50_000), 'database disk image is malformed'],
  ['its text', (content) => content.subarray(content.indexOf('{"id":{"S":"2"}')).subarray(0, 1), 'an entry is no JSON'],
])('a damaged item, by %s, is logged without what it holds, and the others are read', async (_, part, reason) => {
  const before = await open();
  await put(before, 'named', '1');
  const Item = { id: '2', text: 'private'.repeat(20_000) };
  await clientOf(before).send(new PutCommand({ TableName: 'named', Item }));
  await before.close();
  damage(part);

  const lines: string[] = [];
  const store = await openStack(dataDir, assembly, (_, line) => void lines.push(line));
  onTestFinished(store.close);
  await expect(get(store, 'named', '2')).rejects.toMatchObject({ name: 'InternalServerError' });
  expect(lines.join()).toContain(`cannot be used (${reason})`);
  expect(lines.join()).not.toContain('private');
  expect(await get(store, 'named', '1')).toMatchObject({ id: '1' });
});
