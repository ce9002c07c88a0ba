import { expect, test } from 'vitest';
import { environments } from '../support/environments.ts';
import { bare, full, synthesize } from './synthesize.ts';

const template = synthesize({ ...environments, bare, full });

const tablesOf = (environment: string) => template(environment).findResources('AWS::DynamoDB::GlobalTable');

const key = (partitionKey: string, sortKey?: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey ? [{ AttributeName: sortKey, KeyType: 'RANGE' }] : []),
];

test.each([...Object.keys(environments), 'bare', 'full'])(
  'a table of %s keeps its logical id and its keys, or CloudFormation would replace it',
  (environment) => {
    const keys = Object.entries(tablesOf(environment)).map(([logicalId, { Properties: table }]) => ({
      logicalId,
      name: table.TableName,
      key: table.KeySchema,
      indexes: table.GlobalSecondaryIndexes.map(
        ({ IndexName: name, KeySchema: index, Projection: projection }: Record<string, unknown>) => ({
          name,
          index,
          projection,
        }),
      ),
      attributes: table.AttributeDefinitions,
    }));

    const list = (sortKey: string) => [
      { name: 'list', index: key('listPartition', sortKey), projection: { ProjectionType: 'ALL' } },
    ];
    const strings = (...names: string[]) => names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
    expect(keys).toEqual([
      {
        logicalId: 'TablesContactsF93627A8',
        key: key('id'),
        indexes: list('listSort'),
        attributes: strings('id', 'listPartition', 'listSort'),
      },
      {
        logicalId: 'TablesCampaigns1C67930B',
        key: key('id'),
        indexes: list('listSort'),
        attributes: strings('id', 'listPartition', 'listSort'),
      },
      {
        logicalId: 'TablesTokens107FFD66',
        key: key('tokenHash'),
        indexes: list('name'),
        attributes: strings('tokenHash', 'listPartition', 'name'),
      },
    ]);
  },
);

test.each([
  ['bare', 'Delete', 'Delete', false],
  // A failed first deployment deletes its empty tables.
  ['full', 'RetainExceptOnCreate', 'Retain', true],
] as const)('tables of %s: %s, %s, deletion protection %s, point-in-time recovery', (...expected) => {
  const [environment, deletion, replacement, protection] = expected;
  const tables = Object.values(tablesOf(environment));
  expect(tables).toHaveLength(3);
  for (const table of tables) {
    expect(table).toMatchObject({ DeletionPolicy: deletion, UpdateReplacePolicy: replacement });
    expect(table['Properties']).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [
        {
          DeletionProtectionEnabled: protection,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  }
});

test('the contacts table has the class with cheap storage', () => {
  const classes = Object.values(tablesOf('bare')).map(({ Properties }) => Properties.Replicas[0].TableClass);
  expect(classes).toEqual(['STANDARD_INFREQUENT_ACCESS', undefined, undefined]);
});

test('only contact requests expire, by expiresAt, also without retentionDays', () => {
  const expiring = Object.entries(tablesOf('bare')).map(([id, { Properties }]) => [
    id,
    Properties.TimeToLiveSpecification,
  ]);
  expect(expiring).toEqual([
    ['TablesContactsF93627A8', { AttributeName: 'expiresAt', Enabled: true }],
    ['TablesCampaigns1C67930B', undefined],
    ['TablesTokens107FFD66', undefined],
  ]);
});

test('only notifications need a stream: of the contacts table, with new images', () => {
  const streams = (environment: string) =>
    Object.values(tablesOf(environment)).map(({ Properties }) => Properties.StreamSpecification);
  expect(streams('bare')).toEqual([undefined, undefined, undefined]);
  expect(streams('full')).toEqual([{ StreamViewType: 'NEW_IMAGE' }, undefined, undefined]);
});

test('imports existingTables, and keeps them even if a deployment fails', () => {
  const names = { contacts: 'Old-Contacts1', campaigns: 'Old-Campaigns2', tokens: 'Old-Tokens3' };
  const adopting = synthesize({ full: { ...full, existingTables: names } })('full');
  const own = Object.entries(tablesOf('full'));
  const [contacts, campaigns, tokens] = own.map(([id, table], index) => [
    id,
    {
      ...table,
      DeletionPolicy: 'Retain',
      Properties: { ...table['Properties'], TableName: Object.values(names)[index] },
    },
  ]);
  expect(Object.entries(adopting.findResources('AWS::DynamoDB::GlobalTable'))).toEqual([contacts, campaigns, tokens]);
  const said = adopting.findOutputs('Settings')['Settings']?.['Value'];
  expect(JSON.parse(said)).toMatchObject({ existingTables: names });
});
