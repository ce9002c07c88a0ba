import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PutItemCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it, vi } from 'vitest';
import { listKeys } from '../../functions/contacts/contacts-table.ts';
import { tablesOf } from '../../lib/shared/environment-tables.ts';
import { startRelay } from '../support/relay.ts';
import { client, putAll } from '../support/tables.ts';
import { type DeployedEnvironment, startDeployed, where } from './deployed.ts';
import { now, openAsProgram, type RunOptions, type StaffService, startStaff, store } from './staff.ts';

/** The environment `dev`, and the tables of another one to copy from. */
let target: DeployedEnvironment;
let source: StaffService;
beforeEach(async () => {
  target = await startDeployed();
  source = await startStaff();
});

const copy = (from: string, options: RunOptions = {}, ...more: readonly string[]) =>
  target.run(['tables', 'copy', '--from', from, ...more], options);
const copied = async (from: string) =>
  JSON.parse((await target.run(['tables', 'copy', '--from', from, '--json'])).stdout);
const storeMany = (amount: number) =>
  Promise.all(Array.from({ length: amount }, (_, at) => store(source, {}, { spam: at % 5 === 0 })));
const storeOthers = async () => {
  await source.run(['campaigns', 'add', 'Spring']);
  await source.run(['tokens', 'issue', '--name', 'CRM', '--allow', 'all']);
};

/** Every item of a table, as DynamoDB writes it. @param more attributes of contact requests */
const itemsOf = async (table: string, more: object = {}) => {
  const items: Record<string, unknown>[] = [];
  let start: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items
    .map((item) => ({ ...item, ...('createdAt' in item && more) }))
    .map((item) => JSON.stringify(Object.entries(item).sort()))
    .sort();
};

it('copies every item of all pages, with the note that nobody must be told: spam, expired and unreadable ones, too', async () => {
  await storeMany(12);
  await store(source, {}, { expiresAt: new Date(0) });
  const Item = {
    id: { S: randomUUID() },
    exact: { N: '12345678901234567890123456789012345678' },
    set: { SS: ['b', 'a'] },
    more: { M: { list: { L: [{ S: 'x' }, { BOOL: false }] }, nothing: { NULL: true } } },
  };
  await client.send(new PutItemCommand({ TableName: source.tables.contacts, Item }));
  // A page ends at 1 MB. The first one can hold these alone, and they must show what table it is.
  const large = Array.from({ length: 4 }, () => ({
    id: randomUUID(),
    text: 'x'.repeat(350_000),
    ...listKeys({ id: '', createdAt: '' }, false),
  }));
  await putAll(source.tables.contacts, large);
  expect(await copy(source.tables.contacts)).toEqual({
    code: 0,
    stdout: 'TABLE     READ  COPIED\ncontacts  18    18\n',
    stderr: where,
  });
  expect(readFileSync('docs/restore.md', 'utf8')).toContain('TABLE     READ  COPIED\ncontacts  18    18\n');
  expect(await itemsOf(target.tables.contacts)).toEqual(
    await itemsOf(source.tables.contacts, { announced: { S: now.toISOString() } }),
  );
});

it('overwrites nothing, and copies 0 items the second time', async () => {
  const [changed = ''] = await storeMany(3);
  const newer = { id: { S: changed }, name: { S: 'Newer' } };
  await client.send(new PutItemCommand({ TableName: target.tables.contacts, Item: newer }));
  await putAll(target.tables.contacts, [{ id: 'Only here' }]);
  const { contacts: from } = source.tables;
  const result = { from, to: target.tables.contacts, read: 3 };
  expect(await copied(from)).toEqual({ contacts: { ...result, copied: 2 } });
  const items = await itemsOf(target.tables.contacts);
  expect(items).toEqual(
    expect.arrayContaining([expect.stringContaining('Newer'), expect.stringContaining('Only here')]),
  );
  expect(await copied(from)).toEqual({ contacts: { ...result, copied: 0 } });
  expect(await itemsOf(target.tables.contacts)).toEqual(items);
});

it('copies all tables of a stack', async () => {
  await storeMany(2);
  await storeOthers();
  target.stacks['ContactService-old'] = {
    ContactsTable: source.tables.contacts,
    CampaignsTable: source.tables.campaigns,
    TokensTable: source.tables.tokens,
  };
  expect(await copy('ContactService-old')).toEqual({
    code: 0,
    stdout: 'TABLE      READ  COPIED\ncontacts   2     2\ncampaigns  1     1\ntokens     1     1\n',
    stderr: where,
  });
  for (const table of ['contacts', 'campaigns', 'tokens'] as const) {
    const announced = table === 'contacts' ? { announced: { S: now.toISOString() } } : {};
    expect(await itemsOf(target.tables[table])).toEqual(await itemsOf(source.tables[table], announced));
  }
});

it('copies all tables of the service on this machine, then what came since', async () => {
  await storeMany(3);
  await storeOthers();
  const openEnvironment: typeof openAsProgram = async (...choice) => {
    const opened = await openAsProgram(...choice);
    return { ...opened, openLocal: async () => ({ ...opened, tables: tablesOf(client, source.tables) }) };
  };
  const contacts = { from: source.tables.contacts, to: target.tables.contacts };
  const copyLocal = async () => JSON.parse((await copy('local', { openEnvironment }, '--json')).stdout);
  expect(await copyLocal()).toMatchObject({ contacts: { ...contacts, read: 3, copied: 3 }, tokens: { copied: 1 } });
  await storeMany(2);
  expect(await copyLocal()).toMatchObject({ contacts: { ...contacts, read: 5, copied: 2 }, tokens: { copied: 0 } });
});

it('releases a copied contact request from spam with a notification, as it would the original', async () => {
  const id = await store(source, {}, { spam: true });
  await copy(source.tables.contacts);
  await target.run(['contacts', 'release', id]);
  const [item = ''] = await itemsOf(target.tables.contacts);
  expect(new Map(JSON.parse(item)).get('announced')).toEqual({ S: now.toISOString() });
  expect(new Map(JSON.parse(item)).get('releasedAt')).not.toEqual({ S: now.toISOString() });
});

it.each(['campaigns', 'tokens'] as const)('recognises a table of %s', async (kind) => {
  await storeOthers();
  const { [kind]: from } = source.tables;
  expect(await copied(from)).toEqual({ [kind]: { from, to: target.tables[kind], read: 1, copied: 1 } });
});

it('stops on Ctrl-C, and continues when it runs again', async () => {
  await storeMany(25);
  const stopped = new AbortController();
  await using relay = await startRelay({
    before: async (operation) => {
      if (operation === 'PutItem') stopped.abort();
    },
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', relay.url);
  expect(await copy(source.tables.contacts, { signal: stopped.signal })).toEqual({
    code: 130,
    stdout: '',
    stderr: `${where}Stopped before the end.\n`,
  });
  const half = (await itemsOf(target.tables.contacts)).length;
  expect(half).toBeLessThan(25);
  expect(await copied(source.tables.contacts)).toMatchObject({ contacts: { read: 25, copied: 25 - half } });
});

it('refuses what it cannot copy, and writes nothing', async () => {
  await putAll(source.tables.contacts, [{ id: '4711', amount: 1 }]);
  target.stacks['OtherStack'] = { Endpoint: 'https://example.com' };
  const before = await target.everything();
  const refusals = {
    [target.tables.contacts]: 'is the target of the copy: name another source.',
    'ContactService-dev': 'is the target of the copy: name another source.',
    x: 'is neither a table nor a stack of this account and region.',
    nothing: 'is neither a table nor a stack of this account and region.',
    OtherStack: 'is not a stack of this service.',
    [source.tables.contacts]: 'is empty, or not a table of this service.',
    [source.tables.campaigns]: 'is empty, or not a table of this service.',
  };
  for (const [from, reason] of Object.entries(refusals)) {
    expect(await copy(from)).toEqual({ code: 1, stdout: '', stderr: `${where}"${from}" ${reason}\n` });
  }
  expect(await target.everything()).toEqual(before);
});

it('asks to wait for a table that is still being restored', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', target.url);
  target.responses['dynamodb:DescribeTable'] = () => ({ Table: { TableStatus: 'CREATING' } });
  expect(await copy('restored')).toEqual({
    code: 1,
    stdout: '',
    stderr: `${where}"restored" is not ready: run "aws dynamodb wait table-exists --table-name restored".\n`,
  });
});
