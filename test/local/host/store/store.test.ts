import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeleteCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { lockStore } from '../../../../lib/local/host/store/store.ts';
import { testOnPosix } from '../../../support/posix.ts';
import { putAll } from '../../../support/tables.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { clientOf, get, inList, list, openStack, put, writeTables } from '../test-tables.ts';

const things = 'local-Things';

/** The data directory of a stopped service, with one item in each table. */
let stopped: string;
beforeAll(async () => {
  stopped = join(temporaryFolder(), 'data');
  const store = await openStack(stopped, writeTables());
  await put(store, things, '1');
  await put(store, 'named', '2');
  await store.close();
});

let dataDir: string;
beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data');
});

const useStopped = () => cpSync(stopped, dataDir, { recursive: true });

const open = async (changes: object = {}, log?: Parameters<typeof openStack>[2]) => {
  const store = await openStack(dataDir, writeTables(changes), log);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  onTestFinished(close);
  return { ...store, close };
};

test("creates the template's tables, and keeps their items", async () => {
  useStopped();
  const store = await open();
  const { Items } = await clientOf(store).send(inList(things));
  expect(Items).toEqual([{ id: '1', list: 'all', name: 'one' }]);
  expect(await get(store, 'named', '2')).toMatchObject({ id: '2' });
});

const idsOf = (items: readonly Record<string, unknown>[] = []) => items.map(({ id }) => id);

test('queries and scans in both directions, from any key, across pages', async () => {
  const store = await open();
  const TableName = things;
  const client = clientOf(store);
  const ids = Array.from({ length: 230 }, (_, number) => String(1000 + number));
  await putAll(
    TableName,
    ids.map((id) => ({ id, list: 'all' })),
    client,
  );

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

test('keeps the last of many writes to an item, in its index too', async () => {
  const store = await open();
  const TableName = things;
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

/** Changes the store's file as SQL says. */
const change = (sql: string) => {
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  database.exec(sql);
  database.close();
};

test('writes an item and its index entries together or not at all', async () => {
  useStopped();
  change(`CREATE TRIGGER refuse BEFORE INSERT ON entries WHEN new.key LIKE 'item-%'
    BEGIN SELECT RAISE(ABORT, 'on purpose'); END`);
  const failing = await open();
  await expect(put(failing, things, '3')).rejects.toMatchObject({ name: 'InternalServerError' });
  await failing.close();
  change('DROP TRIGGER refuse');
  const store = await open();
  expect(await get(store, things, '3')).toBeUndefined();
  expect(idsOf((await clientOf(store).send(inList(things))).Items)).toEqual(['1']);
});

test.each<[string, object]>([
  ['another key', { KeySchema: [{ AttributeName: 'list', KeyType: 'HASH' }] }],
  ['another index', { GlobalSecondaryIndexes: [list('id', 'list')] }],
])('refuses a stored table with %s than the template', async (_, changes) => {
  useStopped();
  const lines: string[] = [];
  await expect(open(changes, (_, line) => void lines.push(line))).rejects.toThrow(
    /^Table local-Things in .*store\.db has other keys or indexes than the template: /,
  );
  expect(lines).toEqual([]);
});

test('refuses a stored list of event sources that it cannot read, with one line that says what to do', async () => {
  useStopped();
  change(`UPDATE entries SET value = '{"sources":{}}' WHERE key = 'stream-sources'`);
  await expect(open()).rejects.toThrow(
    /^The embedded store .*store\.db cannot be used \(an entry is damaged, or from another version of the service\): restore /,
  );
});

test('survives a client that disconnects during a request', async () => {
  const store = await open();
  const socket = connect(Number(new URL(store.endpoint).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await put(store, 'named', '1');
  socket.destroy();
  await once(socket, 'close');
  expect(await get(store, 'named', '1')).toMatchObject({ id: '1' });
});

testOnPosix.each(['at the next write', 'even if nobody writes'])(
  'acknowledges no write, and stops, after its file was deleted: %s',
  async (when) => {
    useStopped();
    const lines: string[] = [];
    const store = await lockStore(dataDir, (_, line) => void lines.push(line));
    onTestFinished(store.close);
    const address = await store.open();
    rmSync(dataDir, { recursive: true });
    if (when === 'at the next write') await expect(put(address, things, '3')).rejects.toThrow();
    await store.ended;
    expect(lines).toEqual([expect.stringMatching(/^stopped \(.+store\.db was deleted or moved\): start again\. /)]);
  },
);

/** Overwrites a part of the store's file. */
const damage = (part: (content: Buffer) => Buffer) => {
  const file = join(dataDir, 'store.db');
  const content = readFileSync(file);
  part(content).fill('x');
  writeFileSync(file, content);
};

test.each([
  [0, 'file is not a database'],
  [4096, 'database disk image is malformed'],
])('refuses a file that is damaged from byte %i on with one line and a remedy', async (start, reason) => {
  useStopped();
  damage((content) => content.subarray(start));
  await expect(open()).rejects.toThrow(`store.db cannot be used (${reason}): restore the data directory from a copy, `);
});

test('logs a damaged item without its content, and reads the others', async () => {
  useStopped();
  const before = await open();
  const Item = { id: '3', text: 'private'.repeat(20_000) };
  await clientOf(before).send(new PutCommand({ TableName: 'named', Item }));
  await before.close();
  damage((content) => content.subarray(content.indexOf('{"id":{"S":"3"}')).subarray(0, 1));

  const lines: string[] = [];
  const store = await open({}, (_, line) => void lines.push(line));
  await expect(get(store, 'named', '3')).rejects.toMatchObject({ name: 'InternalServerError' });
  expect(lines.join()).toContain('cannot be used (an entry is not JSON)');
  expect(lines.join()).not.toContain('private');
  expect(await get(store, 'named', '2')).toMatchObject({ id: '2' });
});

test('stops with one line if dynalite cannot read an index entry, and rejects later calls', async () => {
  useStopped();
  change(`UPDATE entries SET value = '{"id":null}' WHERE key LIKE 'index-%'`);

  const lines: string[] = [];
  const store = await lockStore(dataDir, (_, line) => void lines.push(line));
  onTestFinished(store.close);
  await expect(clientOf(await store.open()).send(inList(things))).rejects.toThrow('ECONNREFUSED');
  await store.ended;
  await expect(store.calls.sendMessage('queue', 'body', 0)).rejects.toThrow('The store has ended');
  expect(lines).toEqual([expect.stringMatching(/^stopped \(.+\): start again\. If it stops again, restore .+$/)]);
});
