import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { client } from '../../support/tables.ts';
import { day, startWorld, type World } from './world.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * day);

const issue = async (world: World, name: string, now: Date, expires?: string): Promise<string> => {
  const args = ['tokens', 'issue', '--name', name, '--allow', 'all', '--json'];
  const { stdout } = await world.staff(expires === undefined ? args : [...args, '--expires', expires], { now });
  return v.parse(v.object({ id: v.string() }), JSON.parse(stdout)).id;
};

/** A world in which the access log has seen the tokens of these ids. */
const withLog = async (days: number, ...ids: readonly string[]) => {
  const world = await startWorld();
  world.answers['logs:DescribeLogGroups'] = () => ({
    logGroups: [
      { logGroupName: 'access-log-of-another', creationTime: 0 },
      { logGroupName: 'access-log', creationTime: daysAgo(400).getTime(), retentionInDays: days },
    ],
  });
  const used = [...ids];
  world.answers['logs:GetQueryResults'] = () => ({
    status: 'Complete',
    results: ['-', ...used].map((value) => [
      { field: 'tokenId', value },
      { field: 'requests', value: '7' },
    ]),
  });
  return { world, used };
};

it('finds a token that is about to expire, and how to go on', async () => {
  const world = await startWorld();
  await issue(world, "Ada's script", daysAgo(80), '90d');
  await issue(world, 'later', daysAgo(0), '90d');
  await issue(world, 'for good', daysAgo(0));
  expect(await world.foundBy('token expiry')).toEqual([
    expect.stringMatching(
      /^wrong: The token "Ada's script" expires 20[\d-]+T[\d:.]+Z\. -> npx crcs tokens rotate 'Ada'\\''s script' --env dev$/,
    ),
  ]);
});

it('says nothing of a token that has another in its place', async () => {
  const world = await startWorld();
  await issue(world, 'script', daysAgo(80), '90d');
  await world.staff(['tokens', 'rotate', 'script'], { now: daysAgo(0) });
  expect(await world.foundBy('token expiry')).toEqual([]);
});

it('notes a token that has expired', async () => {
  const world = await startWorld();
  await issue(world, 'script', daysAgo(91), '90d');
  expect(await world.foundBy('token expiry')).toEqual([
    expect.stringMatching(
      /^note: The token "script" has expired, 20.+Z\. -> npx crcs tokens rotate 'script' --env dev, or npx crcs tokens revoke 'script' --env dev$/,
    ),
  ]);
});

it('finds a token that cannot be read', async () => {
  const world = await startWorld();
  const Item = { tokenHash: { S: 'x' }, name: { S: 'broken' }, listPartition: { S: 'tokens' } };
  await client.send(new PutItemCommand({ TableName: world.tables.tokens, Item }));
  expect(await world.foundBy('token expiry')).toEqual([
    'wrong: The token "broken" cannot be read. -> docs/runbook.md#unreadable-items',
  ]);
});

it('notes a token that nobody has used for 90 days', async () => {
  const { world, used } = await withLog(365);
  const unused = await issue(world, 'unused', daysAgo(200));
  used.push(await issue(world, 'used', daysAgo(200)));
  await issue(world, 'young', daysAgo(89));
  expect(await world.foundBy('token use')).toEqual([
    `note: The token "unused" (${unused}) was not used for 90 days. -> If nobody needs it: npx crcs tokens revoke 'unused' --env dev`,
  ]);
});

it('says so when the access log reaches back less', async () => {
  const { world } = await withLog(30);
  const unused = await issue(world, 'unused', daysAgo(31));
  await issue(world, 'young', daysAgo(29));
  expect(await world.foundBy('token use')).toEqual([
    `note: The token "unused" (${unused}) was not used for 30 days, as far back as the access log reaches. -> If nobody needs it: npx crcs tokens revoke 'unused' --env dev`,
  ]);
});

it('asks CloudWatch nothing where no token is old enough', async () => {
  const { world } = await withLog(365);
  await issue(world, 'young', daysAgo(1));
  expect(await world.foundBy('token use')).toEqual([]);
  expect(world.asked).not.toContain('logs:StartQuery');
});

it('waits for the query, and says how it ended', async () => {
  const { world } = await withLog(365);
  await issue(world, 'unused', daysAgo(200));
  const states = ['Scheduled', 'Running', 'Failed'];
  world.answers['logs:GetQueryResults'] = () => ({ status: states.shift() });
  expect(await world.foundBy('token use')).toEqual([
    "wrong: The check of token use could not be made: CloudWatch's query ended as Failed. -> Try it again.",
  ]);
});
