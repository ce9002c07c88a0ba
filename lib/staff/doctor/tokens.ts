import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentOptions } from '../../../functions/shared/dynamodb.ts';
import { listTokens } from '../tokens/tokens.ts';
import type { Deployment } from './deployment.ts';

/** The tokens, and the names of those that cannot be read. */
export const readTokens = async ({ client, tables }: Deployment) => {
  const unreadable: string[] = [];
  const dynamoDb = DynamoDBDocumentClient.from(client(DynamoDBClient), documentOptions);
  const tokens = await listTokens({ client: dynamoDb, table: tables.tokens }, (name) => unreadable.push(name));
  return { tokens, unreadable };
};

/** A name as one word of a shell's: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_02 */
export const quoted = (name: string): string => `'${name.replaceAll("'", `'\\''`)}'`;
