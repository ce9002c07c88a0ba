import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { CfnOutput } from 'aws-cdk-lib';
import { type Attribute, AttributeType, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../lib/local/host/dynamodb/store.ts';
import { startHost } from '../../../../lib/local/host/host.ts';
import type { Assembly } from '../../../../lib/local/host/template/template.ts';
import { synthesize, temporaryFolder } from '../test-host.ts';

const string = (name: string): Attribute => ({ name, type: AttributeType.STRING });
const number = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

const list = (partitionKey: Attribute, sortKey: Attribute) => ({ indexName: 'list', partitionKey, sortKey });

const synthesizeTables = (folder: string, changes: Partial<TablePropsV2> = {}): Assembly =>
  synthesize(folder, (stack) => {
    stack.api({ 'GET /': stack.echo('Echo', '1') });
    const things = new TableV2(stack, 'Things', {
      partitionKey: string('id'),
      globalSecondaryIndexes: [list(string('list'), string('id'))],
      timeToLiveAttribute: 'expires',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      ...changes,
    });
    new CfnOutput(stack, 'ThingsTable', { value: things.tableName });
    new TableV2(stack, 'Named', { tableName: 'named', partitionKey: string('id') });
  });

let dataDir: string;
let assembly: Assembly;

beforeEach(() => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  dataDir = join(folder, 'data');
  assembly = synthesizeTables(folder);
});

const open = (changed = assembly) => openStore({ dataDir, synthesize: async () => changed });

const start = () => startHost({ dataDir, synthesize: async () => assembly, port: 0, log: () => {} });

const clientOf = (endpoint: string) => {
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials });
  onTestFinished(() => client.destroy());
  return DynamoDBDocumentClient.from(client);
};

const put = (endpoint: string, TableName: string | undefined, id: string) =>
  clientOf(endpoint).send(new PutCommand({ TableName, Item: { id, list: 'all', name: 'one' } }));

const get = async (endpoint: string, TableName: string | undefined, id: string) =>
  (await clientOf(endpoint).send(new GetCommand({ TableName, Key: { id } }))).Item;

const announcement = () => join(dataDir, 'store.json');

test("the template's tables are there, by their logical ids and outputs, and stay", async () => {
  const first = await open();
  const physical = first.tables['ThingsTable'];
  expect(first.tables).toEqual({
    [String(physical?.replace('local-', ''))]: physical,
    ThingsTable: expect.stringMatching(/^local-Things\w+$/),
    [String(Object.keys(first.tables).find((name) => name.startsWith('Named')))]: 'named',
  });
  await put(first.endpoint, physical, '1');
  await put(first.endpoint, 'named', '2');
  await first.close();

  const second = await open();
  const { Items } = await clientOf(second.endpoint).send(
    new QueryCommand({
      TableName: physical,
      IndexName: 'list',
      KeyConditionExpression: '#list = :all',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':all': 'all' },
    }),
  );
  expect(Items).toEqual([{ id: '1', list: 'all', name: 'one' }]);
  expect(await get(second.endpoint, 'named', '2')).toMatchObject({ id: '2' });
  await second.close();
});

/** Starts a process that serves the data directory, and gives the lines that it prints. */
const startProcess = async (): Promise<{ child: ChildProcess; endpoint: string }> => {
  const script = join(import.meta.dirname, 'serve-in-process.ts');
  const child = spawn(process.execPath, [script, dataDir, assembly.directory, assembly.stackName], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [endpoint] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, endpoint: String(endpoint) };
};

test('what was answered is there after the process was killed, whose announcement counts no more', async () => {
  const { child, endpoint } = await startProcess();
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  await Promise.all(ids.map((id) => put(endpoint, 'named', id)));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(announcement())).toBe(true);

  const store = await open();
  expect(store.endpoint).not.toBe(endpoint);
  await expect(start()).rejects.toThrow(`The data directory ${dataDir} is in use by another process: `);
  const found = await Promise.all(ids.map((id) => get(store.endpoint, 'named', id)));
  expect(found.map((item) => item?.['id'])).toEqual(ids);
  await store.close();
});

test('while a service runs, other processes find its store', async () => {
  const { child, endpoint } = await startProcess();
  expect(JSON.parse(readFileSync(announcement(), 'utf8'))).toMatchObject({
    endpoint,
    pid: child.pid,
    tables: { ThingsTable: expect.stringMatching(/^local-Things/) },
  });
  const synthesizeNothing = () => Promise.reject(new Error('The running service has the tables'));
  const store = await openStore({ dataDir, synthesize: synthesizeNothing });
  expect(store.endpoint).toBe(endpoint);
  await put(store.endpoint, store.tables['ThingsTable'], '1');
  await store.close();
  expect(await get(endpoint, store.tables['ThingsTable'], '1')).toMatchObject({ id: '1' });

  await expect(start()).rejects.toThrow(`The data directory ${dataDir} is in use by process ${child.pid}: `);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(existsSync(announcement())).toBe(false);
  await (await start()).close();
});

test('a data directory that another process holds without serving it is in use', async () => {
  const store = await open();
  await expect(open()).rejects.toThrow(`The data directory ${dataDir} is in use by another process: `);
  await expect(start()).rejects.toThrow(`The data directory ${dataDir} is in use by another process: `);
  await store.close();
});

test.each<[string, Partial<TablePropsV2>]>([
  ['a key', { partitionKey: string('list') }],
  ['an index', { globalSecondaryIndexes: [list(string('id'), string('list'))] }],
  [
    'the type of an attribute',
    { partitionKey: number('id'), globalSecondaryIndexes: [list(string('list'), number('id'))] },
  ],
])('a table on disk that differs from the template in %s stops the start', async (_, changes) => {
  await (await open()).close();
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await expect(open(synthesizeTables(folder, changes))).rejects.toThrow(
    /^Table local-Things\w+ in .*dynamodb has other keys or indexes than the template: /,
  );
  await (await open()).close();
});

test('a client that hangs up in the middle of a request does not end the store', async () => {
  const store = await open();
  const socket = connect(Number(new URL(store.endpoint).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await put(store.endpoint, 'named', '1');
  socket.destroy();
  await once(socket, 'close');
  expect(await get(store.endpoint, 'named', '1')).toMatchObject({ id: '1' });
  await store.close();
});
