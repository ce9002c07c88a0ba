import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { generateToken, hashToken, type TokenRecord } from '../../functions/tokens/token.ts';
import { client } from './tables.ts';

/** Stores a token as the staff command does. @returns the token */
export const issueToken = async (table: string, record: Partial<TokenRecord> = {}): Promise<string> => {
  const token = generateToken();
  const item = {
    tokenHash: hashToken(token),
    listPartition: 'tokens',
    name: 'test',
    permissions: ['contacts:read', 'contacts:delete', 'campaigns:read'],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...record,
  };
  await client.send(new PutCommand({ TableName: table, Item: item }));
  return token;
};
