import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableNames } from '../infrastructure/outputs.ts';

/** One table: its name, and a client that reaches it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** The tables of an environment. */
export type Tables = Readonly<Record<keyof TableNames, Table>>;

export const tablesOf = (client: DynamoDBDocumentClient, names: TableNames): Tables => ({
  contacts: { client, table: names.contacts },
  campaigns: { client, table: names.campaigns },
  tokens: { client, table: names.tokens },
});
