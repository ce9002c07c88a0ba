import { DeleteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { tokensTable } from '../../../functions/tokens/table.ts';
import { generateToken, hashToken, type TokenRecord, tokenRecord } from '../../../functions/tokens/token.ts';
import { permissions } from '../../infrastructure/endpoints.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StaffTable } from '../tables/tables.ts';

const { listIndex } = tokensTable;

/** All tokens share one partition of the list. */
const tokensPartition = 'tokens';

/** A token's name: trimmed, in Unicode's form NFC, 1 to 100 characters on one line. */
export const tokenName = v.pipe(
  v.string(),
  v.transform((name) => name.trim().normalize('NFC')),
  v.check((name) => name !== '', 'A token needs a name.'),
  v.check((name) => [...name].length <= 100, 'A token name has 100 characters at most.'),
  v.check((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'A token name is one line of text.'),
);

const choices = `choose from ${permissions.join(', ')}, separated by commas, or all.`;

/** Permissions separated by commas, or `all`. */
export const permissionList = v.pipe(
  v.string(),
  v.transform((text) => (text === 'all' ? [...permissions] : [...new Set(text.split(',').map((name) => name.trim()))])),
  v.array(v.picklist(permissions, ({ input }) => `Unknown permission "${input}": ${choices}`)),
);

export interface NewToken {
  /** Unique, and as `tokenName` leaves it. */
  readonly name: string;
  readonly permissions: readonly string[];
  /** @defaultValue never */
  readonly expiresAt?: Date;
  readonly now: Date;
}

/** All tokens by name, or those of one name: they are few. */
const queryTokens = async ({ client, table }: StaffTable, name?: string): Promise<TokenRecord[]> => {
  const ofName = name !== undefined;
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: listIndex.name,
      KeyConditionExpression: `#partition = :partition${ofName ? ' AND #name = :name' : ''}`,
      ExpressionAttributeNames: {
        '#partition': listIndex.partitionKey,
        ...(ofName && { '#name': listIndex.sortKey }),
      },
      ExpressionAttributeValues: { ':partition': tokensPartition, ...(ofName && { ':name': name }) },
    },
  );
  const tokens: TokenRecord[] = [];
  for await (const { Items: items = [] } of pages) tokens.push(...items.map((item) => v.parse(tokenRecord, item)));
  return tokens;
};

/**
 * Issues a token.
 * @returns the token itself, which is stored nowhere
 * @throws {StaffError} when there is a token of that name
 */
export const issueToken = async (
  { client, table }: StaffTable,
  { name, permissions, expiresAt, now }: NewToken,
): Promise<string> => {
  const [taken] = await queryTokens({ client, table }, name);
  if (taken) throw new StaffError(`There is a token named "${name}": revoke it first or choose another name.`);
  const token = generateToken();
  const record = {
    tokenHash: hashToken(token),
    name,
    permissions: [...permissions],
    createdAt: now.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  } satisfies TokenRecord;
  await client.send(
    new PutCommand({ TableName: table, Item: { ...record, [listIndex.partitionKey]: tokensPartition } }),
  );
  return token;
};

/** The tokens that were issued and not revoked, by name. */
export const listTokens = (tokens: StaffTable): Promise<TokenRecord[]> => queryTokens(tokens);

/**
 * Revokes every token of a name.
 * @throws {StaffError} when there is none
 */
export const revokeTokens = async ({ client, table }: StaffTable, name: string): Promise<void> => {
  const found = await queryTokens({ client, table }, name);
  if (found.length === 0)
    throw new StaffError(`There is no token named "${name}": "tokens list" shows those there are.`);
  for (const { tokenHash } of found) {
    await client.send(new DeleteCommand({ TableName: table, Key: { [tokensTable.partitionKey]: tokenHash } }));
  }
};
