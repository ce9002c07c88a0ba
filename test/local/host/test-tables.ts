import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Log } from '../../../lib/local/host/host-log.ts';
import type { StoreAddress } from '../../../lib/local/host/store/announcement.ts';
import { lockStore } from '../../../lib/local/host/store/store.ts';
import type { StoreAccess } from '../../../lib/local/host/store-access.ts';
import { type Assembly, readTemplate } from '../../../lib/local/host/template/template.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { api, writeStack } from './test-host.ts';

const table = (...keys: readonly string[]) => ({
  AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
});

/** The index `list` of the table of things. */
export const list = (partitionKey: string, sortKey: string) => ({
  IndexName: 'list',
  KeySchema: [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
});

/**
 * A stack with two tables: that of the output `ThingsTable`, and one that is `named`.
 * @param changes to the properties of the table of things
 */
export const writeTables = (changes: object = {}, folder = temporaryFolder()): Assembly =>
  writeStack(
    folder,
    {
      ...api,
      Things: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: { ...table('id', 'list'), GlobalSecondaryIndexes: [list('list', 'id')], ...changes },
      },
      Named: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { ...table('id'), TableName: 'named' } },
    },
    { ThingsTable: { Value: { Ref: 'Things' } }, NamedTable: { Value: { Ref: 'Named' } } },
  );

/** The store of a data directory, with a stack's tables in it as a service makes them; nothing is served. */
export const openStack = async (
  dataDir: string,
  assembly: Assembly,
  log: Log = () => {},
): Promise<Omit<StoreAccess, 'isServed' | 'openBucket'>> => {
  const store = await lockStore(dataDir, log);
  try {
    const { tables, streamSources, queues, outputs } = await readTemplate(assembly);
    return { ...(await store.open({ tables, streamSources, queues })), outputs, close: store.close };
  } catch (error) {
    await store.close();
    throw error;
  }
};

export const clientOf = ({ endpoint, accessKeyId, secretAccessKey }: StoreAddress) => {
  const credentials = { accessKeyId, secretAccessKey };
  return DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials }));
};

export const put = (store: StoreAddress, TableName: string | undefined, id: string) =>
  clientOf(store).send(new PutCommand({ TableName, Item: { id, list: 'all', name: 'one' } }));

export const get = async (store: StoreAddress, TableName: string | undefined, id: string) =>
  (await clientOf(store).send(new GetCommand({ TableName, Key: { id } }))).Item;

/** A query of the index `list` of things. */
export const inList = (TableName: string | undefined, options: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName,
    IndexName: 'list',
    KeyConditionExpression: '#list = :all',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':all': 'all' },
    ...options,
  });
