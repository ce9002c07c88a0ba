import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PutItemCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listKeys } from '../../functions/contacts/contacts-table.ts';
import { tablesOf } from '../../lib/shared/environment-tables.ts';
import { type SentFile, sentFile, startBuckets } from '../support/bucket.ts';
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

describe('files of contact requests', () => {
  const cv = sentFile('Ada’s CV.pdf', 'x'.repeat(1000));
  const roof = sentFile('roof.jpg', 'a picture', 'image/jpeg');
  const stacks = { old: 'ContactService-old' };

  let buckets: Awaited<ReturnType<typeof startBuckets>>;
  beforeEach(async () => {
    buckets = await startBuckets('old-files', 'files');
    vi.stubEnv('AWS_ENDPOINT_URL_S3', buckets.url);
    target.outputs['FilesBucket'] = 'files';
    target.stacks[stacks.old] = {
      ContactsTable: source.tables.contacts,
      CampaignsTable: source.tables.campaigns,
      TokensTable: source.tables.tokens,
      Settings: JSON.stringify({ version: '4.0.0', retainData: true, scansFiles: true }),
      FilesBucket: 'old-files',
    };
  });

  /** Stores a contact request with files. @returns their keys */
  const storeWith = async (files: readonly SentFile[], result = 'NO_THREATS_FOUND') => {
    const keys = await buckets.attach(source.tables.contacts, await store(source, {}), files);
    for (const key of keys) buckets.tags.set(key, result);
    return keys;
  };

  it('are copied under the same keys as they are, once', async () => {
    const keys = [...(await storeWith([cv, roof])), ...(await storeWith([cv]))];
    await storeMany(2);
    expect(await copy(stacks.old)).toEqual({
      code: 0,
      stdout: [
        'TABLE      READ  COPIED',
        'contacts   4     4',
        'campaigns  0     0',
        'tokens     0     0',
        'files      3     3',
        '',
      ].join('\n'),
      stderr: where,
    });
    expect(await buckets.keys('files')).toEqual(keys.toSorted());
    for (const key of keys) expect(await buckets.read(key, 'files')).toEqual(await buckets.read(key, 'old-files'));
    buckets.asked.splice(0);
    expect(await copied(stacks.old)).toMatchObject({ contacts: { copied: 0 }, files: { read: 3, copied: 0, left: 0 } });
    expect(buckets.asked).not.toContain('s3:PutObject');
  });

  it('are copied by the next run if one was cut short', async () => {
    const keys = await storeWith([cv, roof]);
    await copy(stacks.old);
    await buckets.remove(keys[1] ?? '', 'files');
    expect(await copied(stacks.old)).toMatchObject({ contacts: { copied: 0 }, files: { copied: 1, left: 0 } });
  });

  it('are left, and counted, where they are infected, not scanned or gone', async () => {
    await storeWith([cv], 'THREATS_FOUND');
    const [waiting = ''] = await storeWith([cv]);
    buckets.tags.delete(waiting);
    const [gone = ''] = await storeWith([cv]);
    await buckets.remove(gone);
    const { code, stdout, stderr } = await copy(stacks.old);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${where}Left 2 files, infected or not scanned yet. Left 1 file, deleted already or of a stack that --from does not name.\n`,
    });
    expect(stdout).toContain('files      3     0\n');
    expect(await buckets.keys('files')).toEqual([]);
  });

  it.each(['FilesBucket of the source', 'FilesBucket of the target'])(
    'are left, and counted, without the %s',
    async (which) => {
      await storeWith([cv, roof]);
      const { FilesBucket: _, ...withoutBucket } = target.stacks[stacks.old] ?? {};
      if (which.endsWith('source')) target.stacks[stacks.old] = withoutBucket;
      else delete target.outputs['FilesBucket'];
      expect(await copy(stacks.old)).toMatchObject({
        code: 0,
        stderr: `${where}Left 2 files, because not both sides have a bucket: set files (see docs/files.md).\n`,
      });
      expect(await copied(stacks.old)).toMatchObject({ files: { read: 2, copied: 0, left: 2 } });
    },
  );

  it('of a restored table are in the bucket of the environment, or deleted', async () => {
    const id = await store(source, {});
    await buckets.attach(source.tables.contacts, id, [cv], 'files');
    const other = await store(source, {});
    const [deleted = ''] = await buckets.attach(source.tables.contacts, other, [roof], 'files');
    await buckets.remove(deleted, 'files');
    expect(await copy(source.tables.contacts)).toEqual({
      code: 0,
      stdout: 'TABLE     READ  COPIED\ncontacts  2     2\nfiles     2     0\n',
      stderr: `${where}Left 1 file, deleted already or of a stack that --from does not name.\n`,
    });
  });

  it('are not copied for a contact request whose id has another one there', async () => {
    const [key = ''] = await storeWith([cv]);
    const [id = ''] = key.split('/');
    await putAll(target.tables.contacts, [{ id, message: 'Another' }]);
    expect(await copied(stacks.old)).toMatchObject({ contacts: { copied: 0 }, files: { read: 1, copied: 0, left: 0 } });
    expect(await buckets.keys('files')).toEqual([]);
  });
});

it('copies no counter of the bytes of a day', async () => {
  await storeMany(1);
  await putAll(source.tables.contacts, [
    { id: 'files 2026-03-01', bytes: 5 },
    { id: 'caught files 2026-03-01', bytes: 5 },
  ]);
  expect(await copied(source.tables.contacts)).toMatchObject({ contacts: { read: 1, copied: 1 } });
  expect(await itemsOf(target.tables.contacts)).toHaveLength(1);
});
