import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { hashToken, type TokenRecord, tokenRecord } from './token.ts';

/** The tokens in DynamoDB. */
export const tokenStore = (client: DynamoDBDocumentClient, table: string) => ({
  /** Finds a token that was issued and not revoked. */
  async find(token: string): Promise<TokenRecord | undefined> {
    const { Item: item } = await client.send(
      new GetCommand({ TableName: table, Key: { tokenHash: hashToken(token) }, ConsistentRead: true }),
    );
    return item && v.parse(tokenRecord, item);
  },
});

export type TokenStore = ReturnType<typeof tokenStore>;
