import { expect, it } from 'vitest';
import { fault, startWorld } from './world.ts';

const well = { TableStatus: 'ACTIVE', DeletionProtectionEnabled: true, StreamSpecification: { StreamEnabled: true } };

it('misses a table, and says it once', async () => {
  const world = await startWorld();
  const { campaigns } = world.tables;
  world.answers['dynamodb:DescribeTable'] = ({ TableName }) =>
    TableName === campaigns ? fault('ResourceNotFoundException') : { Table: well };
  world.answers['dynamodb:DescribeContinuousBackups'] = ({ TableName }) =>
    TableName === campaigns
      ? fault('TableNotFoundException')
      : { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' } } };
  expect((await world.findings()).map(({ what, remedy }) => `${what} -> ${remedy}`)).toEqual([
    `The table of campaigns, ${campaigns}, is not there. -> docs/operation.md#restore-data`,
  ]);
});

it('finds a table that cannot be read for its key', async () => {
  const world = await startWorld();
  const { tokens } = world.tables;
  world.answers['dynamodb:DescribeTable'] = ({ TableName }) => ({
    Table: TableName === tokens ? { ...well, TableStatus: 'INACCESSIBLE_ENCRYPTION_CREDENTIALS' } : well,
  });
  expect(await world.foundBy('tables')).toEqual([
    `wrong: The table of tokens, ${tokens}, is in the state INACCESSIBLE_ENCRYPTION_CREDENTIALS. -> aws dynamodb describe-table --table-name ${tokens} --region eu-central-1`,
  ]);
});

it('misses the deletion protection where the environment retains its data, and only there', async () => {
  const world = await startWorld();
  const { contacts } = world.tables;
  world.answers['dynamodb:DescribeTable'] = ({ TableName }) => ({
    Table: TableName === contacts ? { ...well, DeletionProtectionEnabled: false } : well,
  });
  expect(await world.foundBy('tables')).toEqual([
    `wrong: The table of contacts has no deletion protection, although the environment retains its data. -> aws dynamodb update-table --deletion-protection-enabled --table-name ${contacts} --region eu-central-1`,
  ]);
  world.retain(false);
  expect(await world.foundBy('tables')).toEqual([]);
});

it('misses the stream where somebody is to be told, and only there', async () => {
  const world = await startWorld();
  world.answers['dynamodb:DescribeTable'] = () => ({ Table: { ...well, StreamSpecification: undefined } });
  expect(await world.foundBy('tables')).toEqual([
    'wrong: The table of contacts has no stream, so that nobody is told. -> docs/operation.md#restore-data',
  ]);
  world.tellNobody();
  expect(await world.foundBy('tables')).toEqual([]);
});

it('finds a table that cannot be restored to a point in time', async () => {
  const world = await startWorld();
  const { tokens } = world.tables;
  world.answers['dynamodb:DescribeContinuousBackups'] = ({ TableName }) => ({
    ContinuousBackupsDescription: {
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: TableName === tokens ? 'DISABLED' : 'ENABLED' },
    },
  });
  expect(await world.foundBy('backups')).toEqual([
    `wrong: The table of tokens cannot be restored to a point in time. -> aws dynamodb update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --table-name ${tokens} --region eu-central-1`,
  ]);
});

it.each([
  ['is off', { TimeToLiveStatus: 'DISABLED' }],
  ['goes by another attribute', { TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' }],
])('finds that the expiry of contact requests %s', async (_, description) => {
  const world = await startWorld();
  const { contacts } = world.tables;
  world.answers['dynamodb:DescribeTimeToLive'] = () => ({ TimeToLiveDescription: description });
  expect(await world.foundBy('expiry')).toEqual([
    `wrong: DynamoDB does not delete contact requests whose time is over. -> aws dynamodb update-time-to-live --time-to-live-specification Enabled=true,AttributeName=expiresAt --table-name ${contacts} --region eu-central-1`,
  ]);
});
