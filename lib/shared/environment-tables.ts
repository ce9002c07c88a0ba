import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { campaignsTable } from '../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import type { Table } from '../../functions/shared/dynamodb.ts';
import { tokensTable } from '../../functions/tokens/token.ts';

/** The tables of an environment, as the functions know them. */
export const tableDefinitions = { contacts: contactsTable, campaigns: campaignsTable, tokens: tokensTable } as const;

export type TableId = keyof typeof tableDefinitions;

/** The names of an environment's tables. */
export type TableNames = Readonly<Record<TableId, string>>;

/** The tables of an environment. */
export type EnvironmentTables = Readonly<Record<TableId, Table>>;

export const tablesOf = (client: DynamoDBDocumentClient, names: TableNames): EnvironmentTables => ({
  contacts: { client, table: names.contacts },
  campaigns: { client, table: names.campaigns },
  tokens: { client, table: names.tokens },
});
