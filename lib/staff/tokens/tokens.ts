import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  generateToken,
  hashToken,
  isExpired,
  type TokenRecord,
  tokenRecord,
  tokensTable,
} from '../../../functions/tokens/token.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StaffTable } from '../tables/tables.ts';

const { listIndex } = tokensTable;

/** All tokens share one partition of the list. */
const tokensPartition = 'tokens';

export interface NewToken {
  /** As `tokenName` leaves it. */
  readonly name: string;
  readonly permissions: readonly string[];
  /** @defaultValue never */
  readonly expiresAt?: Date;
  readonly now: Date;
}

/** A token, which is stored nowhere, and what is stored of it. */
export interface IssuedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

/** A token by what every item has: enough to find and to revoke it. */
const tokenKey = v.pick(tokenRecord, ['tokenHash', 'name']);

/** A token, or the name of one whose item cannot be read: it must not hide the others. */
const tokenOrName = v.union([
  tokenRecord,
  v.pipe(
    tokenKey,
    v.transform(({ name }) => ({ unreadable: name })),
  ),
]);

/** All tokens by name, or those of one name: they are few. */
const queryTokens = async <Token>(
  { client, table }: StaffTable,
  schema: v.GenericSchema<unknown, Token>,
  name?: string,
): Promise<Token[]> => {
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
  const tokens: Token[] = [];
  for await (const { Items: items = [] } of pages) tokens.push(...items.map((item) => v.parse(schema, item)));
  return tokens;
};

/** @throws {StaffError} when there is none */
const findTokens = async <Token>(
  tokens: StaffTable,
  schema: v.GenericSchema<unknown, Token>,
  name: string,
): Promise<[Token, ...Token[]]> => {
  const [first, ...more] = await queryTokens(tokens, schema, name);
  if (!first) throw new StaffError(`There is no token named "${name}": "tokens list" shows those there are.`);
  return [first, ...more];
};

const putToken = async (
  { client, table }: StaffTable,
  { name, permissions, expiresAt, now }: NewToken,
): Promise<IssuedToken> => {
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
  return { token, record };
};

const deleteToken = async (
  { client, table }: StaffTable,
  { tokenHash }: Pick<TokenRecord, 'tokenHash'>,
): Promise<void> => {
  await client.send(new DeleteCommand({ TableName: table, Key: { [tokensTable.partitionKey]: tokenHash } }));
};

/**
 * Issues a token.
 * @throws {StaffError} when there is a token of that name
 */
export const issueToken = async (tokens: StaffTable, token: NewToken): Promise<IssuedToken> => {
  const [taken] = await queryTokens(tokens, tokenKey, token.name);
  if (taken) throw new StaffError(`There is a token named "${token.name}": rotate it or choose another name.`);
  return putToken(tokens, token);
};

/**
 * The tokens that were issued and not revoked, by name.
 * @param leaveOut is told the name of each that cannot be read
 */
export const listTokens = async (tokens: StaffTable, leaveOut: (name: string) => void): Promise<TokenRecord[]> =>
  (await queryTokens(tokens, tokenOrName)).flatMap((token) => {
    if (!('unreadable' in token)) return [token];
    leaveOut(token.unreadable);
    return [];
  });

/**
 * Revokes every token of a name, also one that cannot be read: there are several after a rotation.
 * @returns how many they were
 * @throws {StaffError} when there is none
 */
export const revokeTokens = async (tokens: StaffTable, name: string): Promise<number> => {
  const found = await findTokens(tokens, tokenKey, name);
  for (const token of found) await deleteToken(tokens, token);
  return found.length;
};

/** Lets a token end then, if it would not have before. @returns when it ends, unless it has */
const endToken = async (tokens: StaffTable, token: TokenRecord, end: Date, now: Date): Promise<Date | undefined> => {
  const own = token.expiresAt === undefined ? undefined : new Date(token.expiresAt);
  if (!(end > now) || isExpired(token, now)) {
    await deleteToken(tokens, token);
    return undefined;
  }
  if (own && own <= end) return own;
  try {
    await tokens.client.send(
      new UpdateCommand({
        TableName: tokens.table,
        Key: { [tokensTable.partitionKey]: token.tokenHash },
        UpdateExpression: 'SET expiresAt = :end',
        ConditionExpression: `attribute_exists(${tokensTable.partitionKey})`,
        ExpressionAttributeValues: { ':end': end.toISOString() },
      }),
    );
    return end;
  } catch (error) {
    // Somebody has revoked it meanwhile.
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/** The expiry of a token that takes another's place now: as long from now as the other had from its beginning. */
const expiryLike = ({ createdAt, expiresAt }: TokenRecord, now: Date) =>
  expiresAt !== undefined && {
    expiresAt: new Date(now.getTime() + new Date(expiresAt).getTime() - new Date(createdAt).getTime()),
  };

/**
 * Issues a token in the place of the one of that name, with its permissions and for as long: the one before works for the
 * grace, and what has expired of that name goes away. The new one is there before the other gets its end: what stops
 * between leaves both working, and the next rotation ends both.
 * @param grace in milliseconds
 * @returns `until` when the last of those before ends, unless all have
 * @throws {StaffError} when there is no token of that name, or it cannot be read
 */
export const rotateToken = async (
  tokens: StaffTable,
  { name, grace, now }: { readonly name: string; readonly grace: number; readonly now: Date },
): Promise<IssuedToken & { readonly until?: Date }> => {
  const before = (await findTokens(tokens, tokenOrName, name)).map((token) => {
    if (!('unreadable' in token)) return token;
    throw new StaffError(`The token "${name}" cannot be read: revoke it and issue another.`);
  });
  const last = before.reduce((one, other) => (other.createdAt > one.createdAt ? other : one));
  const issued = await putToken(tokens, { name, permissions: last.permissions, ...expiryLike(last, now), now });
  let until: Date | undefined;
  for (const token of before) {
    const end = await endToken(tokens, token, new Date(now.getTime() + grace), now);
    if (end && !(until && until > end)) until = end;
  }
  return { ...issued, ...(until && { until }) };
};
