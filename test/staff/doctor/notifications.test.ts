import { expect, it } from 'vitest';
import { startWorld, type World } from './world.ts';

const failuresAre = (world: World, ...reasons: readonly string[]) => {
  world.answers['logs:FilterLogEvents'] = ({ logGroupName }) => ({
    events:
      logGroupName === 'tell-Webhook5e6f7a8b-log'
        ? reasons.map((reason) => ({ message: JSON.stringify({ message: 'notification failed', reason }) }))
        : [],
  });
};

it('finds a target that fails, with what can be done', async () => {
  const world = await startWorld();
  failuresAre(world, 'HTTP 503', 'ECONNREFUSED');
  world.queues.set('Webhook5e6f7a8b', { hidden: 2 });
  expect(await world.foundBy('notifications')).toEqual([
    'wrong: Webhook5e6f7a8b is not told: 2 tries have failed in a day, the last by ECONNREFUSED; 2 notifications wait. -> Nothing answers at that URL as it should: are its host, its port and its certificate right? docs/runbook.md#notification-retries: npx crcs notifications test --env dev',
  ]);
});

it('says nothing of what failed and was told since, nor of what is being told', async () => {
  const world = await startWorld();
  failuresAre(world, 'HTTP 503');
  expect(await world.foundBy('notifications')).toEqual([]);
  failuresAre(world);
  world.queues.set('Webhook5e6f7a8b', { hidden: 1, visible: 1 });
  expect(await world.foundBy('notifications')).toEqual([]);
});

it('finds a queue that nothing reads', async () => {
  const world = await startWorld();
  world.answers['lambda:ListEventSourceMappings'] = ({ name }) => ({
    EventSourceMappings: [{ State: name === 'tell-Webhook5e6f7a8b' ? 'Disabled' : 'Enabled' }],
  });
  expect(await world.foundBy('notifications')).toEqual([
    'wrong: Nothing takes what Webhook5e6f7a8b is to be told from its queue. -> docs/runbook.md#notification-backlog: npx cdk deploy ContactService-dev --revert-drift',
  ]);
});

it('notes that notifications are paused', async () => {
  const world = await startWorld();
  world.outputs['Settings'] = JSON.stringify({ version: '1.1.0', retainData: true, notificationsPaused: true });
  expect(await world.foundBy('notifications')).toEqual([
    'note: Notifications are paused: nobody is told of what comes now. -> docs/notifications.md#paused',
  ]);
});

it('counts what was given up', async () => {
  const world = await startWorld();
  world.queues.set('dead-letters', { visible: 3 });
  expect(await world.foundBy('dead letters')).toEqual([
    'wrong: 3 notifications were given up. -> docs/runbook.md#notification-dead-letters: npx crcs notifications test --env dev, then npx crcs notifications redrive --env dev',
  ]);
});

it('takes an address for confirmed whose domain is', async () => {
  const world = await startWorld();
  world.confirmed.delete('office@example.com');
  expect(await world.foundBy('mail addresses')).toEqual([]);
});

it('finds an address that is not confirmed, in the sandbox also of who gets mail, and does not print it', async () => {
  const world = await startWorld();
  world.confirmed.clear();
  const found = await world.foundBy('mail addresses');
  expect(found).toEqual([
    'wrong: The address from of notifications is not confirmed: no mail goes out. -> Click the link that SES has mailed to it (docs/first-deployment.md#7-notifications).',
    'wrong: The address of Email1a2b3c4d is not confirmed, and SES is in its sandbox: it gets no mail. -> Click the link that SES has mailed to it, or leave the sandbox (docs/first-deployment.md#7-notifications); npx crcs notifications test --env dev shows whose it is.',
  ]);
  expect(found.join()).not.toContain('@');
  world.answers['ses:GetAccount'] = () => ({ SendingEnabled: true, ProductionAccessEnabled: true });
  expect(await world.foundBy('mail addresses')).toHaveLength(1);
});

it('finds that Amazon has stopped the mails', async () => {
  const world = await startWorld();
  world.answers['ses:GetAccount'] = () => ({ SendingEnabled: false, ProductionAccessEnabled: true });
  expect(await world.foundBy('mail addresses')).toEqual([
    expect.stringMatching(/^wrong: Amazon has stopped this account's mails\. -> https:\/\/docs\.aws\.amazon\.com\//),
  ]);
});

it('asks nothing about notifications where nobody is told', async () => {
  const world = await startWorld();
  world.tellNobody();
  expect(await world.findings()).toEqual([]);
  expect(world.asked.filter((action) => /^(ses|sqs):/.test(action))).toEqual([]);
});
