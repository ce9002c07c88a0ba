import { expect, it, vi } from 'vitest';
import { sentFile, startBuckets } from '../support/bucket.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type DeployedEnvironment, startDeployed } from './deployed.ts';
import { actionsDuring, statementsIn } from './policy.ts';
import { store } from './staff.ts';

const statements = statementsIn('docs/operator-policy.json');

const actionsOf = (sids: RegExp): string[] =>
  [...new Set(statements.filter(({ Sid }) => sids.test(Sid)).flatMap(({ Action }) => Action))].toSorted();

/** The actions that commands call, each one once. */
const called = async (
  deployed: DeployedEnvironment,
  commands: readonly (readonly string[])[],
): Promise<readonly string[]> => {
  const actions = await actionsDuring(deployed, async () => {
    for (const command of commands) expect(await deployed.run(command), command.join(' ')).toMatchObject({ code: 0 });
  });
  return actions.filter((action) => !action.startsWith('sts:'));
};

it('allows operators to manage tokens, and no other action on them', async () => {
  const needed = await called(await startDeployed(), [
    ['tokens', 'issue', '--name', 'script', '--allow', 'all'],
    ['tokens', 'list'],
    ['tokens', 'rotate', 'script'],
    ['tokens', 'revoke', 'script'],
  ]);
  expect(needed).toEqual(actionsOf(/^(Stack|Tokens)/));
});

it('allows operators to list, show, release, answer, delete and erase contact requests, and no other action on them', async () => {
  const deployed = await startDeployed();
  const spam = await store(deployed, { email: 'bob@example.com' }, { spam: true });
  const unwanted = await store(deployed, { email: 'eve@example.com' });
  await store(deployed, { email: 'ada@example.com' });
  const needed = await called(deployed, [
    ['contacts', 'list'],
    ['contacts', 'show', unwanted],
    ['contacts', 'release', spam],
    ['contacts', 'answered', unwanted],
    ['contacts', 'delete', unwanted],
    ['contacts', 'erase', '--email', 'ada@example.com', '--yes'],
  ]);
  expect(needed).toEqual(actionsOf(/^(Stack|Contacts)/));
});

it('allows operators to fetch the files of contact requests, and to wait for their deletion', async () => {
  const buckets = await startBuckets('files');
  vi.stubEnv('AWS_ENDPOINT_URL_S3', buckets.url);
  const deployed = await startDeployed();
  deployed.outputs['FilesBucket'] = 'files';
  const id = await store(deployed, { email: 'ada@example.com' });
  await buckets.attach(deployed.tables.contacts, id, [sentFile('cv.pdf', 'x')]);
  await called(deployed, [['contacts', 'files', id, '--output', temporaryFolder()]]);
  await buckets.remove(id);
  await called(deployed, [['contacts', 'erase', '--email', 'ada@example.com', '--yes']]);
  expect([...new Set(buckets.asked)].toSorted()).toEqual(actionsOf(/^Files/));
});

it('allows operators to count and list contact requests by campaign, and no other action on campaigns', async () => {
  const needed = await called(await startDeployed(), [
    ['campaigns', 'list', '--count'],
    ['contacts', 'list', '--campaign', 'Spring'],
  ]);
  expect(needed).toEqual(actionsOf(/^(Stack|ContactsList|CampaignsList)$/));
});

it('allows operators to redrive notifications, with what SQS needs to move messages for them', async () => {
  const deployed = await startDeployed(['Webhook5e6f7a8b']);
  const tasks = [undefined, { Status: 'COMPLETED', StartedTimestamp: 2, ApproximateNumberOfMessagesMoved: 1 }];
  Object.assign(deployed.responses, {
    'sqs:GetQueueAttributes': () => ({ Attributes: { QueueArn: 'arn:one', ApproximateNumberOfMessages: '1' } }),
    'sqs:ListMessageMoveTasks': () => ({ Results: [tasks.shift() ?? []].flat() }),
    'sqs:StartMessageMoveTask': () => ({ TaskHandle: 'one' }),
  });
  const needed = await called(deployed, [['notifications', 'redrive']]);
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-configure-dead-letter-queue-redrive.html
  const moving = ['sqs:DeleteMessage', 'sqs:ReceiveMessage', 'sqs:SendMessage'];
  expect([...needed, ...moving].toSorted()).toEqual(actionsOf(/^(Stack|Redrive)/));
});

it('allows operators to turn confirmations on again', async () => {
  const deployed = await startDeployed();
  Object.assign(deployed.outputs, { ConfirmFunction: 'confirm', ConfirmationSet: 'the-set' });
  Object.assign(deployed.responses, {
    'ses:GetConfigurationSet': () => ({ SendingOptions: { SendingEnabled: false } }),
    'ses:PutConfigurationSetSendingOptions': () => ({}),
  });
  const needed = await called(deployed, [['confirmations', 'resume']]);
  expect(needed).toEqual(actionsOf(/^(Stack|Confirmations)$/));
});
