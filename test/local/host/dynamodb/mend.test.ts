import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import type { Assembly } from '../../../../lib/local/host/template/template.ts';
import { startProcess } from '../test-process.ts';
import { clientOf, get, openStack, put, synthesizeTables, testFolder } from '../test-tables.ts';

interface Level {
  batch(operations: readonly object[]): Promise<void>;
  get(key: string): Promise<object | undefined>;
  iterator(range?: object): AsyncIterable<[key: string, value: Readonly<Record<string, unknown>>]>;
  close(): Promise<void>;
}

/** What dynalite's `level` opens: `level` itself opens nothing any more once a file before this one has loaded the engine. */
const { ClassicLevel }: { ClassicLevel: new (path: string, options: object) => Level } = createRequire(
  createRequire(createRequire(import.meta.url).resolve('dynalite')).resolve('level'),
)('classic-level');

let dataDir: string;
let folder: string;
let assembly: Assembly;
let lines: string[];

beforeEach(() => {
  const root = testFolder();
  dataDir = join(root, 'data');
  folder = join(dataDir, 'dynamodb');
  assembly = synthesizeTables(root);
  lines = [];
});

const open = () => openStack(dataDir, assembly, (source, line) => lines.push(`${source}: ${line}`));

type Store = Awaited<ReturnType<typeof open>>;

const listedIds = async (store: Store) => {
  const { Items = [] } = await clientOf(store).send(
    new QueryCommand({
      TableName: store.outputs['ThingsTable'],
      IndexName: 'list',
      KeyConditionExpression: '#list = :all',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':all': 'all' },
    }),
  );
  return Items.map(({ id }) => id);
};

const fill = async (...ids: readonly string[]) => {
  const store = await open();
  for (const id of ids) await put(store, store.outputs['ThingsTable'], id);
  await store.close();
  lines = [];
};

/** Does something to the database as its own process could not have left it had it been closed. */
const disturb = async (act: (level: Level, entries: readonly [key: string, id: unknown][]) => Promise<void>) => {
  const level = new ClassicLevel(folder, { valueEncoding: 'json' });
  const entries: [string, unknown][] = [];
  for await (const [key, value] of level.iterator()) {
    const { S: id } = (value['id'] ?? {}) as { S?: string };
    entries.push([key, id]);
  }
  await act(level, entries);
  await level.close();
};

const keyOf = (entries: readonly [key: string, id: unknown][], prefix: 'index-' | 'item-', id: string) =>
  entries.find(([key, of]) => key.startsWith(prefix) && of === id)?.[0] ?? '';

test('a store that was closed starts without a word', async () => {
  await fill('1', '2');
  const store = await open();
  expect(await listedIds(store)).toEqual(['1', '2']);
  await store.close();
  expect(lines).toEqual([]);
});

test('an entry without its item, as a create leaves that was killed, is gone after the next start', async () => {
  await fill('1', '2');
  await disturb((level, entries) => level.batch([{ type: 'del', key: keyOf(entries, 'item-', '1') }]));
  const store = await open();
  expect(await listedIds(store)).toEqual(['2']);
  await store.close();
  expect(lines).toEqual([expect.stringMatching(/^store: was not closed; .*1 in local-Things\w+, .*; 1 entr/)]);
});

test('an item without its entry, as a delete leaves that was killed, is listed after the next start', async () => {
  await fill('1', '2');
  await disturb((level, entries) => level.batch([{ type: 'del', key: keyOf(entries, 'index-', '1') }]));
  const store = await open();
  expect(await listedIds(store)).toEqual(['1', '2']);
  await store.close();
  expect(lines).toEqual([expect.stringMatching(/2 in local-Things\w+, .*; 1 entr/)]);
});

test('entries that a killed update has moved are where the item says, with what it says', async () => {
  await fill('1', '2');
  await disturb(async (level, entries) => {
    const [first, second] = [keyOf(entries, 'index-', '1'), keyOf(entries, 'index-', '2')];
    const moved = { ...(await level.get(first)), list: { S: 'other' } };
    await level.batch([
      { type: 'del', key: first },
      { type: 'put', key: first.replace(/[^~]*$/, (key) => `f${key}`), value: moved },
      { type: 'put', key: second, value: { ...(await level.get(second)), name: { S: 'changed' } } },
    ]);
  });
  const store = await open();
  expect(await listedIds(store)).toEqual(['1', '2']);
  await store.close();
  await disturb(async (_, entries) => expect(entries.filter(([key]) => key.startsWith('index-'))).toHaveLength(2));
  expect(lines).toEqual([expect.stringContaining('; 3 entries')]);
});

test('tables whose creation a kill has cut short can be used', async () => {
  await fill('1');
  await disturb(async (level, entries) => {
    for (const [key] of entries.filter(([name]) => name.startsWith('table~'))) {
      await level.batch([{ type: 'put', key, value: { ...(await level.get(key)), TableStatus: 'CREATING' } }]);
    }
  });
  const store = await open();
  expect(await listedIds(store)).toEqual(['1']);
  await store.close();
});

test('kill -9 in the middle of writes leaves each item with its entries, before anything is mended', async () => {
  const { child, store, tables } = await startProcess(dataDir, assembly);
  const TableName = tables['ThingsTable'];
  const client = clientOf(store);
  let answered = 0;
  const visit = async (visitor: number) => {
    for (let number = 0; ; number += 1) {
      const id = `${visitor}-${number}`;
      await put(store, TableName, id);
      const names = { ExpressionAttributeNames: { '#list': 'list' }, ExpressionAttributeValues: { ':list': 'other' } };
      await client.send(new UpdateCommand({ TableName, Key: { id }, UpdateExpression: 'SET #list = :list', ...names }));
      if (number % 2 === 0) await client.send(new DeleteCommand({ TableName, Key: { id } }));
      answered += 1;
      if (answered === 200) child.kill('SIGKILL');
    }
  };
  await Promise.allSettled(Array.from({ length: 20 }, (_, visitor) => visit(visitor)));
  await disturb(async (level, entries) => {
    const ids = (prefix: string) => entries.filter(([key]) => key.startsWith(prefix)).map(([, id]) => id);
    expect(ids('item-').length).toBeGreaterThan(50);
    expect(ids('index-').sort()).toEqual(ids('item-').sort());
    for (const [key, id] of entries.filter(([name]) => name.startsWith('index-'))) {
      expect(await level.get(key)).toEqual(await level.get(keyOf(entries, 'item-', String(id))));
    }
  });
});

const nameOf = (pattern: RegExp) => readdirSync(folder).find((name) => pattern.test(name)) ?? '';
const sizeOf = (name: string) => readFileSync(join(folder, name)).length;

const reopen = async () => {
  const store = await open();
  const ids = await listedIds(store);
  await store.close();
  return { ids, lines };
};

test('a log that lost its end is told, with what is left', async () => {
  await fill(...Array.from({ length: 20 }, (_, id) => String(id)));
  const log = nameOf(/\.log$/);
  const size = sizeOf(log);
  truncateSync(join(folder, log), size - 1000);
  const { ids, lines } = await reopen();
  expect(ids.length).toBeLessThan(20);
  expect(lines).toEqual([
    expect.stringContaining(`store: is damaged (${log} has ${size - 1000} bytes of ${size}); it has these items: `),
  ]);
  expect(lines[0]).toContain(`${ids.length} in local-Things`);
  expect((await reopen()).lines).toHaveLength(1);
});

test('so is one of a service that was killed', async () => {
  const { child, store, tables } = await startProcess(dataDir, assembly);
  for (let id = 0; id < 20; id += 1) await put(store, tables['ThingsTable'], String(id));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  const log = nameOf(/\.log$/);
  truncateSync(join(folder, log), sizeOf(log) - 100);
  const { ids, lines } = await reopen();
  expect(ids).toHaveLength(19);
  expect(lines).toEqual([expect.stringContaining(`is damaged (${log} ends in the middle of a write); `)]);
});

test('a log whose middle is rubbish is told', async () => {
  await fill(...Array.from({ length: 20 }, (_, id) => String(id)));
  const log = nameOf(/\.log$/);
  const bytes = readFileSync(join(folder, log));
  bytes.fill('?', bytes.length - 1000, bytes.length - 990);
  writeFileSync(join(folder, log), bytes);
  const { lines } = await reopen();
  expect(lines).toEqual([expect.stringMatching(/^store: is damaged \(\d+\.log: dropping \d+ bytes/)]);
});

test.each([
  ['CURRENT', /^CURRENT$/],
  ['the manifest', /^MANIFEST/],
  ['a table', /\.ldb$/],
])('a store without %s is one line that says what to do, and is left as it is', async (_, pattern) => {
  await fill('1', '2');
  // What is in the log becomes a table.
  await fill('3');
  rmSync(join(folder, nameOf(pattern)));
  const names = readdirSync(folder).filter((name) => /^(CURRENT|MANIFEST.*|.*\.(ldb|log))$/.test(name));
  await expect(open()).rejects.toThrow(
    /^The embedded store in .*dynamodb cannot be opened \(.+\): restore the folder from a copy, or move it away to start with an empty one$/,
  );
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
});

test('a table that cannot be read is one line that says what to do', async () => {
  await fill('1', '2');
  await fill('3');
  truncateSync(join(folder, nameOf(/\.ldb$/)), 100);
  await expect(open()).rejects.toThrow(/^The embedded store in .* cannot be opened \(.*\.ldb.*\): restore/);
});

test('a log that is missing is told', async () => {
  await fill('1', '2');
  const log = nameOf(/\.log$/);
  rmSync(join(folder, log));
  const { lines } = await reopen();
  expect(lines).toEqual([expect.stringContaining(`store: is damaged (${log} is missing); it has these items: `)]);
});

test('what was written before is there', async () => {
  await fill('1');
  const store = await open();
  expect(await get(store, store.outputs['ThingsTable'], '1')).toMatchObject({ id: '1' });
  await store.close();
});
