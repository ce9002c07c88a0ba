import { expect, it } from 'vitest';
import { startWorld, type World } from './world.ts';

/** The function notify has logged these failures of a target, the last one last. */
const failuresAre = (world: World, target: string, ...reasons: readonly string[]) => {
  world.answers['logs:FilterLogEvents'] = ({ logGroupName }) => ({
    events:
      logGroupName === 'notify-log'
        ? reasons.map((reason) => ({ message: JSON.stringify({ message: 'notification failed', target, reason }) }))
        : [],
  });
};

it('finds a target that does not accept its notifications, and why', async () => {
  const world = await startWorld();
  failuresAre(world, 'Webhook5e6f7a8b', 'HTTP 503', 'ECONNREFUSED');
  world.queues.set('Email1a2b3c4d', { hidden: 1 });
  world.queues.set('Webhook5e6f7a8b', { hidden: 2 });
  expect(await world.foundBy('notifications')).toEqual([
    'wrong: Webhook5e6f7a8b does not accept notifications: ECONNREFUSED. 2 notifications wait. -> docs/runbook.md#notification-retries: npx crcs notifications test --env dev',
  ]);
});

it('says nothing of failures whose retry succeeded, nor of notifications under way', async () => {
  const world = await startWorld();
  failuresAre(world, 'Webhook5e6f7a8b', 'HTTP 503');
  expect(await world.foundBy('notifications')).toEqual([]);
  failuresAre(world, 'Webhook5e6f7a8b');
  world.queues.set('Webhook5e6f7a8b', { hidden: 1, visible: 1 });
  expect(await world.foundBy('notifications')).toEqual([]);
});

it('finds a queue that Lambda does not read', async () => {
  const world = await startWorld();
  for (const mapping of world.mappings['notify'] ?? []) {
    if (mapping.EventSourceArn.endsWith(':Webhook5e6f7a8b')) mapping.State = 'Disabled';
  }
  expect(await world.foundBy('notifications')).toEqual([
    'wrong: The function notify does not read the queue of Webhook5e6f7a8b. -> docs/runbook.md#notification-backlog: npx cdk deploy ContactService-dev --revert-drift',
  ]);
});

it('finds that Lambda does not read the stream, and takes that as it is while notifications are paused', async () => {
  const world = await startWorld();
  for (const mapping of world.mappings['fan-out'] ?? []) mapping.State = 'Disabled';
  expect(await world.foundBy('notifications')).toEqual([
    "wrong: The function fan-out does not read the table's stream: nobody is notified. -> docs/runbook.md#fan-out-idle: npx cdk deploy ContactService-dev --revert-drift",
  ]);
  world.outputs['Settings'] = JSON.stringify({ version: '3.0.0', retainData: true, notificationsPaused: true });
  expect(await world.foundBy('notifications')).toEqual([
    'note: Notifications are paused: contact requests trigger none. -> docs/notifications.md#paused',
  ]);
});

it('finds notifications that AWS no longer retries', async () => {
  const world = await startWorld();
  world.queues.set('dead-letters', { visible: 3 });
  world.queues.set('fan-out-failures', { visible: 1 });
  expect(await world.foundBy('dead letters')).toEqual([
    'wrong: 3 notifications in the dead-letter queue. -> docs/runbook.md#notification-dead-letters: npx crcs notifications test --env dev, then npx crcs notifications redrive --env dev',
    'wrong: The function fan-out failed for a day: some contact requests triggered no notification. -> docs/runbook.md#fan-out-failures',
  ]);
});

it('takes an address as verified if its domain is', async () => {
  const world = await startWorld();
  world.verified.delete('office@example.com');
  expect(await world.foundBy('mail addresses')).toEqual([]);
});

it('finds an address that is not verified, in the sandbox also of a recipient, and does not print it', async () => {
  const world = await startWorld();
  world.verified.clear();
  const found = await world.foundBy('mail addresses');
  expect(found).toEqual([
    'wrong: The address from of notifications is not verified: no mail goes out. -> Click the link that SES has mailed to it (docs/first-deployment.md#7-notifications).',
    'wrong: The address of Email1a2b3c4d is not verified, and SES is in its sandbox: it gets no mail. -> Click the link that SES has mailed to it, or leave the sandbox (docs/first-deployment.md#7-notifications); npx crcs notifications test --env dev shows whose it is.',
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

it('asks nothing about notifications if the environment has none', async () => {
  const world = await startWorld();
  world.tellNobody();
  expect(await world.findings()).toEqual([]);
  expect(world.asked.filter((action) => /^(ses|sqs):/.test(action))).toEqual([]);
});
