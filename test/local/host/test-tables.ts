import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { CfnOutput } from 'aws-cdk-lib';
import { type Attribute, AttributeType, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { onTestFinished } from 'vitest';
import type { Log } from '../../../lib/local/host/log.ts';
import type { StoreAddress } from '../../../lib/local/host/store/announcement.ts';
import { lockStore } from '../../../lib/local/host/store/store.ts';
import type { StoreAccess } from '../../../lib/local/host/store-access.ts';
import { type Assembly, readTemplate } from '../../../lib/local/host/template/template.ts';
import { synthesize, temporaryFolder } from './test-host.ts';

export const string = (name: string): Attribute => ({ name, type: AttributeType.STRING });

/** The index `list` of the table of things. */
export const list = (partitionKey: Attribute, sortKey: Attribute) => ({ indexName: 'list', partitionKey, sortKey });

/**
 * A stack with two tables: that of the output `ThingsTable`, and one that is `named`.
 * @param changes to the table of things
 */
export const synthesizeTables = (folder: string, changes: Partial<TablePropsV2> = {}): Assembly =>
  synthesize(folder, (stack) => {
    stack.api({ 'GET /': stack.echo('Echo', '1') });
    const things = new TableV2(stack, 'Things', {
      partitionKey: string('id'),
      globalSecondaryIndexes: [list(string('list'), string('id'))],
      timeToLiveAttribute: 'expires',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      ...changes,
    });
    new CfnOutput(stack, 'ThingsTable', { value: things.tableName });
    const named = new TableV2(stack, 'Named', { tableName: 'named', partitionKey: string('id') });
    new CfnOutput(stack, 'NamedTable', { value: named.tableName });
  });

/** The store of a data directory, with a stack's tables in it as a service makes them; nothing is served. */
export const openStack = async (dataDir: string, assembly: Assembly, log: Log = () => {}): Promise<StoreAccess> => {
  const store = await lockStore(dataDir, log);
  try {
    const { tables, streamSources, queues, outputs } = await readTemplate(assembly);
    return { ...(await store.open({ tables, streamSources, queues })), outputs, close: store.close };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** A folder that is removed after the test. */
export const testFolder = (): string => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
};

export const clientOf = ({ endpoint, accessKeyId }: StoreAddress) => {
  const credentials = { accessKeyId, secretAccessKey: 'any' };
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials });
  onTestFinished(() => client.destroy());
  return DynamoDBDocumentClient.from(client);
};

export const put = (store: StoreAddress, TableName: string | undefined, id: string) =>
  clientOf(store).send(new PutCommand({ TableName, Item: { id, list: 'all', name: 'one' } }));

export const get = async (store: StoreAddress, TableName: string | undefined, id: string) =>
  (await clientOf(store).send(new GetCommand({ TableName, Key: { id } }))).Item;
