import { expect, test } from 'vitest';
import { bare, full, synthesize } from './synthesize.ts';

const names = { contacts: 'Old-Contacts1', campaigns: 'Old-Campaigns2', tokens: 'Old-Tokens3' };
const template = synthesize({ bare, full, adopting: { ...full, existingTables: names } });

/** The tables of what people keep: that of confirmations has nothing that lasts. */
const tablesOf = (environment: string) =>
  Object.fromEntries(
    Object.entries(template(environment).findResources('AWS::DynamoDB::GlobalTable')).filter(([id]) =>
      id.startsWith('Tables'),
    ),
  );

/** The tables' logical ids, key and list index. */
const keys = {
  TablesContactsF93627A8: ['id', 'listPartition', 'listSort'],
  TablesCampaigns1C67930B: ['id', 'listPartition', 'listSort'],
  TablesTokens107FFD66: ['tokenHash', 'listPartition', 'name'],
};

test.each(['bare', 'full', 'adopting'])(
  'a table of %s keeps its logical id and keys, or CloudFormation would replace it',
  (environment) => {
    const key = (AttributeName = '', KeyType = 'HASH') => ({ AttributeName, KeyType });
    const shapes = Object.entries(tablesOf(environment)).map(([id, { Properties }]) => {
      const { AttributeDefinitions, GlobalSecondaryIndexes, KeySchema } = Properties;
      return [id, { AttributeDefinitions, GlobalSecondaryIndexes, KeySchema }];
    });
    const expected = Object.entries(keys).map(([id, [hash, listHash, listSort]]) => [
      id,
      {
        AttributeDefinitions: [hash, listHash, listSort].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexes: [
          {
            IndexName: 'list',
            KeySchema: [key(listHash), key(listSort, 'RANGE')],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        KeySchema: [key(hash)],
      },
    ]);
    expect(Object.fromEntries(shapes)).toEqual(Object.fromEntries(expected));
  },
);

test.each([
  ['bare', 'Delete', 'Delete', false],
  // A failed first deployment deletes its empty tables.
  ['full', 'RetainExceptOnCreate', 'Retain', true],
  // Existing tables already hold data.
  ['adopting', 'Retain', 'Retain', true],
])('tables of %s: %s, %s, deletion protection %s, point-in-time recovery', (...expected) => {
  const [environment, deletion, replacement, DeletionProtectionEnabled] = expected;
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  for (const table of Object.values(tablesOf(environment))) {
    expect(table).toMatchObject({
      DeletionPolicy: deletion,
      UpdateReplacePolicy: replacement,
      Properties: { Replicas: [{ DeletionProtectionEnabled, PointInTimeRecoverySpecification }] },
    });
  }
});

test('only contact requests expire, by expiresAt, also without retentionDays', () => {
  const expiring = Object.values(tablesOf('bare')).map(({ Properties }) => Properties.TimeToLiveSpecification);
  expect(expiring).toEqual([{ AttributeName: 'expiresAt', Enabled: true }, undefined, undefined]);
});

test('imports existingTables by name', () => {
  const imported = Object.values(tablesOf('adopting')).map(({ Properties }) => Properties.TableName);
  expect(imported).toEqual(Object.values(names));
  const { Settings } = template('adopting').findOutputs('Settings');
  expect(JSON.parse(Settings?.['Value'])).toMatchObject({ existingTables: names });
});
