import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTables } from '../../../lib/staff/tables/open.ts';
import { startRelay } from '../../support/relay.ts';
import { serve, type TestServer } from '../../support/server.ts';
import { client } from '../../support/tables.ts';
import { startBusyStore } from '../contacts/busy-store.ts';
import { store } from '../contacts/stored.ts';
import { pressCtrlCAt } from '../ctrl-c.ts';
import { stackWith, where } from '../stack.ts';
import { lines, now, type RunOptions, type StaffService, startStaff } from '../staff.ts';
import { startStandIn } from './stand-in.ts';

let source: StaffService;
let target: StaffService;
beforeEach(async () => {
  source = await startStaff();
  target = await startStaff();
});

const copy = (args: readonly string[] = [], options: RunOptions = {}) =>
  target.run(['tables', 'copy', '--from', source.tables.contacts, '--table', 'contacts', '--yes', ...args], options);

/** Every item of a table as DynamoDB has it, in an order of its own. */
const itemsOf = async (table: string) => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  return Items.map((item) => JSON.stringify(Object.entries(item).sort())).sort();
};

const sameContacts = async () => {
  const [one, other] = [await itemsOf(source.tables.contacts), await itemsOf(target.tables.contacts)];
  expect(other).toEqual(one);
  return one.length;
};

/** Contact requests, every fifth of them spam. */
const storeMany = async (amount: number) => {
  const ids: string[] = [];
  for (let number = 1; number <= amount; number += 1) {
    ids.push(await store(source, { message: `Number ${number}` }, { spam: number % 5 === 0 }));
  }
  return ids.sort();
};

const resultOf = (stdout: string) => JSON.parse(stdout).contacts;

const checksum = expect.stringMatching(/^[0-9a-f]{64}$/);

describe('tables copy', () => {
  it('copies every item as it is, spam and what has expired too, and shows that the two are equal', async () => {
    await storeMany(120);
    await store(source, {}, { expiresAt: new Date(now.getTime() - 86_400_000) });
    const { code, stdout, stderr } = await copy();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await sameContacts()).toBe(121);
    const [head = '', row = ''] = lines(stdout);
    expect(head).toMatch(/^TABLE +READ +COPIED +THERE ALREADY +DIFFERENT +MISSING +CHECKSUM OF SOURCE +OF TARGET$/);
    const [kind, ...amounts] = row.split(/ {2,}/);
    const [from, to] = amounts.splice(-2);
    expect([kind, ...amounts]).toEqual(['contacts', '121', '121', '0', '0', '0']);
    expect(from).toEqual(checksum);
    expect(to).toBe(from);
  });

  it('copies numbers with all their digits, sets, binaries and an item that nobody can read', async () => {
    const id = randomUUID();
    const Item = {
      id: { S: id },
      exact: { N: '12345678901234567890123456789012345678' },
      set: { SS: ['b', 'a'] },
      numbers: { NS: ['2', '1'] },
      bytes: { B: new Uint8Array([0, 255]) },
      more: { M: { b: { L: [{ S: 'x' }, { BOOL: false }] }, a: { NULL: true } } },
    };
    await client.send(new PutItemCommand({ TableName: source.tables.contacts, Item }));
    expect(await copy()).toMatchObject({ code: 0, stderr: '' });
    await sameContacts();
  });

  it('takes a set in another order for the same', async () => {
    const id = randomUUID();
    const put = (table: string, ...SS: string[]) =>
      client.send(new PutItemCommand({ TableName: table, Item: { id: { S: id }, set: { SS } } }));
    await put(source.tables.contacts, 'b', 'a');
    await put(target.tables.contacts, 'a', 'b');
    expect(await copy()).toMatchObject({ code: 0, stderr: '' });
  });

  it('has nothing to do a second time, and says the same of the two', async () => {
    await storeMany(30);
    const first = resultOf((await copy(['--json'])).stdout);
    const second = await copy(['--json']);
    expect(second.code).toBe(0);
    expect(first).toEqual({
      from: source.tables.contacts,
      to: target.tables.contacts,
      read: 30,
      copied: 30,
      thereAlready: 0,
      different: [],
      missing: [],
      checksums: { source: checksum, target: first.checksums.source },
    });
    expect(resultOf(second.stdout)).toEqual({ ...first, copied: 0, thereAlready: 30 });
  });

  it('copies over nothing that is there: it names what differs, and ends with 1', async () => {
    const [kept = '', ...others] = await storeMany(8);
    const own = await store(target, { message: 'Only here' });
    await copy();
    await target.run(['contacts', 'delete', others[0] ?? '']);
    await client.send(new PutCommand({ TableName: target.tables.contacts, Item: { id: kept, name: 'Newer' } }));
    const before = await itemsOf(target.tables.contacts);
    const { code, stdout, stderr } = await copy(['--json']);
    expect(code).toBe(1);
    expect(resultOf(stdout)).toMatchObject({ read: 8, copied: 1, thereAlready: 6, different: [kept], missing: [] });
    const { source: one, target: other } = resultOf(stdout).checksums;
    expect(one).not.toBe(other);
    expect(lines(stderr)).toEqual([
      `Different in the source, and left as it is: the contact request ${kept}.`,
      'Nothing is missing, but 1 item is not as in the source (docs/operation.md, "Restore data").',
    ]);
    const after = await itemsOf(target.tables.contacts);
    expect(after.filter((item) => !before.includes(item))).toHaveLength(1);
    expect(before.filter((item) => !after.includes(item))).toEqual([]);
    expect(after.filter((item) => item.includes(own))).toHaveLength(1);
  });

  it('copies campaigns, and tokens, of which it shows no more than the list does', async () => {
    await source.run(['campaigns', 'add', 'Spring']);
    await source.run(['tokens', 'issue', '--name', 'CRM', '--allow', 'all']);
    const of = (kind: 'campaigns' | 'tokens') =>
      target.run(['tables', 'copy', '--from', source.tables[kind], '--table', kind, '--yes']);
    expect(await of('campaigns')).toMatchObject({ code: 0, stderr: '' });
    expect(await of('tokens')).toMatchObject({ code: 0, stderr: '' });
    expect(await target.everything()).toEqual(await source.everything());

    const { stdout } = await target.run(['tokens', 'list', '--json']);
    const [{ id }] = JSON.parse(stdout);
    const [tokenHash] = /[0-9a-f]{64}/.exec(JSON.stringify(await target.everything())) ?? [];
    await client.send(new PutCommand({ TableName: target.tables.tokens, Item: { tokenHash, name: 'Other' } }));
    const different = await of('tokens');
    expect(different).toMatchObject({ code: 1, stderr: expect.stringContaining(`the token ${id}.\n`) });
    expect(different.stderr + different.stdout).not.toContain(tokenHash);
  });

  it('shows how far it is', async () => {
    await storeMany(3);
    const { stderr } = await copy([], { terminals: ['stderr'] });
    expect(stderr).toContain('3 contact requests copied');
    expect(stderr).toContain('3 contact requests compared');
  });
});

describe('tables copy asks', () => {
  const ask = (options: RunOptions) =>
    target.run(['tables', 'copy', '--from', source.tables.contacts, '--table', 'contacts'], options);
  const said = () =>
    `Copies contacts from ${source.tables.contacts} to ${target.tables.contacts}, over nothing that is there.\n`;

  it.each([
    ['a no', { input: 'n\n', terminals: ['stdin'] as const }, 'Copy? [y/N] Nothing was copied.\n'],
    ['no one', {}, 'Nothing was copied: add --yes to copy.\n'],
  ])('and copies nothing upon %s', async (_, options, answer) => {
    await storeMany(1);
    expect(await ask(options)).toEqual({ code: 1, stdout: '', stderr: said() + answer });
    expect(await itemsOf(target.tables.contacts)).toEqual([]);
  });

  it('and says that tokens work then, also revoked ones', async () => {
    const args = ['tables', 'copy', '--from', source.tables.tokens, '--table', 'tokens'];
    const { stderr } = await target.run(args);
    expect(stderr).toContain('Each token that it has works here then, also one that was revoked here.\n');
  });

  it('and copies upon a yes', async () => {
    await storeMany(1);
    expect(await ask({ input: 'y\n', terminals: ['stdin'] })).toMatchObject({ code: 0 });
    expect(await sameContacts()).toBe(1);
  });
});

describe('tables copy refuses, and writes nothing', () => {
  const refused = async (args: readonly string[], line: string) => {
    const before = await target.everything();
    expect(await target.run(['tables', 'copy', '--yes', ...args])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${line}\n`,
    });
    expect(await target.everything()).toEqual(before);
  };

  it('the table itself', () =>
    refused(
      ['--from', target.tables.contacts, '--table', 'contacts'],
      `The table ${target.tables.contacts} is what it would be copied to.`,
    ));

  it('a table that is not there', () =>
    refused(['--from', 'gone', '--table', 'contacts'], 'There is no table gone in this account, eu-central-1.'));

  it('a table with another key', () =>
    refused(
      ['--from', source.tables.tokens, '--table', 'contacts'],
      `The table ${source.tables.tokens} holds no contact requests: its key is tokenHash, where theirs is id.`,
    ));

  it('a table that holds something else under the same key', async () => {
    await source.run(['campaigns', 'add', 'Spring']);
    await refused(
      ['--from', source.tables.campaigns, '--table', 'contacts'],
      `The table ${source.tables.campaigns} holds no contact requests: give another --table.`,
    );
    await storeMany(1);
    await refused(
      ['--from', source.tables.contacts, '--table', 'campaigns'],
      `The table ${source.tables.contacts} holds no campaigns: give another --table.`,
    );
  });

  it("a table of somebody else's with the same key", async () => {
    const TableName = `orders-${randomUUID()}`;
    await client.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.05 }, { TableName });
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: '4711' }, amount: { N: '1' } } }));
    await refused(
      ['--from', TableName, '--table', 'contacts'],
      `The table ${TableName} holds no contact requests: it has no index "list".`,
    );
  });

  it('a stack on one machine, which has none', () =>
    refused(
      ['--from', 'ContactService-old'],
      '"local" has no stacks and no region: give --table, and --from a table.',
    ));

  it('another kind of table', () =>
    refused(['--from', 'x', '--table', 'visitors'], '--table: Use contacts, campaigns, tokens.'));
});

describe('tables copy, cut off or disturbed,', () => {
  /** A client that reaches the store by a relay. */
  const clientOf = ({ url }: TestServer) => DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: url }));

  it('ends by Ctrl-C in the middle, and the same again does the rest', async () => {
    await storeMany(150);
    const stopped = new AbortController();
    let puts = 0;
    await using relay = await startRelay({
      before: async (operation) => {
        if (operation === 'PutItem') puts += 1;
        if (puts === 20) stopped.abort();
      },
    });
    expect(await copy([], { client: clientOf(relay), signal: stopped.signal })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Stopped before the end.\n',
    });
    const half = (await itemsOf(target.tables.contacts)).length;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(150);
    expect(resultOf((await copy(['--json'])).stdout)).toMatchObject({
      read: 150,
      copied: 150 - half,
      thereAlready: half,
    });
    await sameContacts();
  });

  it('writes nothing when it is stopped before', async () => {
    await storeMany(2);
    await using stopped = await pressCtrlCAt('Scan');
    expect(await copy([], stopped)).toMatchObject({ code: 130 });
    expect(await itemsOf(target.tables.contacts)).toEqual([]);
  });

  it.each(['Scan', 'PutItem', 'BatchGetItem'])('waits for a store that throttles %s for a while', async (operation) => {
    await storeMany(12);
    // Fewer than one item is tried.
    let refusals = 5;
    await using busy = await startBusyStore((asked) => {
      if (asked !== operation) return false;
      refusals -= 1;
      return refusals >= 0;
    });
    expect(await copy([], busy)).toMatchObject({ code: 0, stderr: '' });
    expect(await sameContacts()).toBe(12);
  });

  it.each(['Scan', 'PutItem', 'BatchGetItem'])('says so when it throttles %s for good', async (operation) => {
    await storeMany(2);
    await using busy = await startBusyStore((asked) => asked === operation);
    expect(await copy([], busy)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The environment cannot be reached or is too busy (Throttled): try again later.\n',
    });
    expect(await copy()).toMatchObject({ code: 0 });
    expect(await sameContacts()).toBe(2);
  });

  it('says which action is denied, before it writes anything', async () => {
    await storeMany(1);
    const message = 'User: ada is not authorized to perform: dynamodb:Scan on resource: old';
    await using denying = await startStandIn('Scan', async () => ({ __type: 'AccessDeniedException', message }));
    expect(await copy([], denying)).toEqual({
      code: 1,
      stdout: '',
      stderr: `These AWS credentials may not do this: ${message}\n`,
    });
    expect(await itemsOf(target.tables.contacts)).toEqual([]);
  });

  it('asks again for what BatchGetItem leaves out for its size', async () => {
    await storeMany(40);
    const table = target.tables.contacts;
    const batch = v.object({ RequestItems: v.object({ [table]: v.looseObject({ Keys: v.array(v.unknown()) }) }) });
    await using leaving = await startStandIn('BatchGetItem', async (asked, answer) => {
      const { [table]: all } = v.parse(batch, asked).RequestItems;
      if (!all || all.Keys.length < 2) return answer(asked);
      const half = all.Keys.length / 2;
      const part = await answer({ RequestItems: { [table]: { ...all, Keys: all.Keys.slice(0, half) } } });
      return { ...part, UnprocessedKeys: { [table]: { ...all, Keys: all.Keys.slice(half) } } };
    });
    expect(resultOf((await copy(['--json'], leaving)).stdout)).toMatchObject({ read: 40, missing: [] });
  });

  it('waits where BatchGetItem leaves out all', async () => {
    await storeMany(3);
    let refusals = 2;
    const waits: number[] = [];
    await using busy = await startStandIn('BatchGetItem', async (asked, answer) => {
      if (refusals === 0) return answer(asked);
      refusals -= 1;
      return { Responses: {}, UnprocessedKeys: v.parse(v.object({ RequestItems: v.unknown() }), asked).RequestItems };
    });
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    expect(resultOf((await copy(['--json'], { ...busy, wait })).stdout)).toMatchObject({ read: 3, copied: 3 });
    expect(waits).toHaveLength(2);
  });

  it('writes over nothing that comes meanwhile', async () => {
    const [id] = await storeMany(1);
    await using relay = await startRelay({
      before: async (operation) => {
        if (operation !== 'PutItem') return;
        await client.send(new PutCommand({ TableName: target.tables.contacts, Item: { id, name: 'Newer' } }));
      },
    });
    const { code, stdout } = await copy(['--json'], { client: clientOf(relay) });
    expect(code).toBe(1);
    expect(resultOf(stdout)).toMatchObject({ read: 1, copied: 0, different: [id], missing: [] });
    expect(await itemsOf(target.tables.contacts)).toEqual([expect.stringContaining('Newer')]);
  });

  it('counts as copied what it wrote by an attempt whose answer was lost', async () => {
    await storeMany(3);
    let lost = 0;
    await using relay = await startRelay({ losesAnswer: (operation) => operation === 'PutItem' && ++lost === 1 });
    const { stdout } = await copy(['--json'], { client: clientOf(relay) });
    expect(lost).toBe(4);
    expect(resultOf(stdout)).toMatchObject({ read: 3, copied: 3, thereAlready: 0 });
  });

  it('names as missing what is written to the source, or deleted from the target, meanwhile', async () => {
    const [gone = ''] = await storeMany(5);
    const deleting = new DeleteCommand({ TableName: target.tables.contacts, Key: { id: gone } });
    let puts = 0;
    let deleted: Promise<unknown> | undefined;
    await using relay = await startRelay({
      before: async (operation) => {
        if (operation === 'PutItem') puts += 1;
        // It reads the target once before it writes, and then to compare.
        if (operation !== 'BatchGetItem' || puts < 5) return;
        deleted ??= client.send(deleting);
        await deleted;
      },
    });
    const first = await copy(['--json'], { client: clientOf(relay) });
    expect(first).toMatchObject({
      code: 1,
      stderr: '1 item of the source is missing: something wrote or deleted meanwhile. Run it again.\n',
    });
    expect(resultOf(first.stdout)).toMatchObject({ read: 5, copied: 5, missing: [gone] });
    const come = await store(source, { message: 'Later' });
    expect(resultOf((await copy(['--json'])).stdout)).toMatchObject({ read: 6, copied: 2, missing: [] });
    expect(await itemsOf(target.tables.contacts)).toContainEqual(expect.stringContaining(come));
  });
});

describe('tables copy from a stack', () => {
  let cloudFormation: TestServer;
  /** In which regions it is asked, one after the other. */
  let regions: string[];
  let stacks: Record<string, Record<string, string>>;

  const outputsOf = ({ tables }: StaffService) => ({
    ContactsTable: tables.contacts,
    CampaignsTable: tables.campaigns,
    TokensTable: tables.tokens,
  });

  beforeEach(async () => {
    stacks = { 'ContactService-dev': outputsOf(target), 'ContactService-old': outputsOf(source), Other: { Url: 'x' } };
    regions = [];
    cloudFormation = await serve((request, response, body) => {
      regions.push(request.headers.authorization?.split('/')[2] ?? '');
      const outputs = stacks[new URLSearchParams(body.toString()).get('StackName') ?? ''];
      const missing =
        '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id x does not exist</Message></Error></ErrorResponse>';
      response.writeHead(outputs ? 200 : 400, { 'Content-Type': 'text/xml' });
      response.end(outputs ? stackWith(outputs) : missing);
    });
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', cloudFormation.url);
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await cloudFormation[Symbol.asyncDispose]();
  });

  const copyStack = (name: string, ...more: string[]) =>
    target.run(['tables', 'copy', '--from', name, '--yes', '--env', 'dev', ...more], { openTables });

  it('copies all three of its tables', async () => {
    await storeMany(3);
    await source.run(['campaigns', 'add', 'Spring']);
    await source.run(['tokens', 'issue', '--name', 'CRM', '--allow', 'all']);
    const { code, stdout, stderr } = await copyStack('ContactService-old');
    expect({ code, stderr }).toEqual({ code: 0, stderr: where });
    expect(lines(stdout).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['TABLE', 'READ', 'COPIED'],
      ['contacts', '3', '3'],
      ['campaigns', '1', '1'],
      ['tokens', '1', '1'],
    ]);
    await sameContacts();
  });

  it('reads the stack and its tables in another region, and writes in that of the environment', async () => {
    await storeMany(2);
    const asked = new Set<string>();
    await using relay = await startRelay({
      before: async (operation, region) => void asked.add(`${operation} ${region}`),
    });
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', relay.url);
    expect(await copyStack('ContactService-old', '--from-region', 'eu-west-1')).toMatchObject({ code: 0 });
    expect(regions).toEqual(['eu-central-1', 'eu-west-1']);
    expect([...asked].sort()).toEqual([
      'BatchGetItem eu-central-1',
      'DescribeTable eu-central-1',
      'DescribeTable eu-west-1',
      'PutItem eu-central-1',
      'Scan eu-west-1',
    ]);
    await sameContacts();
  });

  it('takes tables of the same names in another region for others', async () => {
    const answer = await copyStack('ContactService-dev', '--from-region', 'eu-west-1');
    expect(answer).toMatchObject({ code: 0, stderr: where });
  });

  it('copies nothing where one of them cannot be copied', async () => {
    await storeMany(3);
    stacks['ContactService-old'] = { ...outputsOf(source), TokensTable: 'gone' };
    expect(await copyStack('ContactService-old')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${where}There is no table gone in this account, eu-central-1.\n`,
    });
    expect(await itemsOf(target.tables.contacts)).toEqual([]);
  });

  it('copies nothing where one of them holds something else', async () => {
    await storeMany(3);
    stacks['ContactService-old'] = { ...outputsOf(source), CampaignsTable: source.tables.contacts };
    const { code, stderr } = await copyStack('ContactService-old');
    expect([code, stderr]).toEqual([
      1,
      `${where}The table ${source.tables.contacts} holds no campaigns: give another --table.\n`,
    ]);
    expect(await itemsOf(target.tables.contacts)).toEqual([]);
  });

  it('refuses its own stack', async () => {
    expect(await copyStack('ContactService-dev')).toMatchObject({
      code: 1,
      stderr: `${where}The table ${target.tables.contacts} is what it would be copied to.\n`,
    });
  });

  it('refuses a stack whose outputs name no tables', async () => {
    const { code, stderr } = await copyStack('Other');
    expect(code).toBe(1);
    expect(stderr).toContain('The outputs of the stack Other name no tables (');
  });

  it('says that there is no such stack', async () => {
    const { code, stderr } = await copyStack('ContactService-gone');
    expect(code).toBe(1);
    expect(lines(stderr)).toHaveLength(2);
    expect(stderr).toContain('ContactService-gone');
  });
});
