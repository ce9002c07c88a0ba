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
} from '../../functions/tokens/token.ts';
import { StaffError } from '../shared/staff-error.ts';
import type { Table } from './table.ts';

const { listIndex } = tokensTable;

/** All tokens share one partition of the list. */
const tokensPartition = 'tokens';

interface NewToken {
  /** As `tokenName` leaves it. */
  readonly name: string;
  readonly permissions: readonly string[];
  /** @defaultValue never */
  readonly expiresAt?: Date;
  readonly now: Date;
}

/** A token and its record; the token itself is stored nowhere. */
export interface IssuedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

/** A token as it is stored; an unreadable one has no record, but can be revoked. */
interface StoredToken {
  readonly tokenHash: string;
  readonly name: string;
  readonly record: TokenRecord | undefined;
}

const tokenKey = v.pick(tokenRecord, ['tokenHash', 'name']);

/** All tokens by name: they are few. */
const readTokens = async ({ client, table }: Table): Promise<StoredToken[]> => {
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: listIndex.name,
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { '#partition': listIndex.partitionKey },
      ExpressionAttributeValues: { ':partition': tokensPartition },
    },
  );
  const tokens: StoredToken[] = [];
  for await (const { Items: items = [] } of pages) {
    for (const item of items) {
      const { success, output } = v.safeParse(tokenRecord, item);
      tokens.push({ ...v.parse(tokenKey, item), record: success ? output : undefined });
    }
  }
  return tokens;
};

/** The tokens of a name. @throws {StaffError} if there is none */
const findTokens = async (tokens: Table, name: string): Promise<StoredToken[]> => {
  const found = (await readTokens(tokens)).filter((token) => token.name === name);
  if (found.length > 0) return found;
  throw new StaffError(`There is no token named "${name}". Run "npx --no-install crcs tokens list" to see all.`);
};

const putToken = async (
  { client, table }: Table,
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

const deleteToken = async ({ client, table }: Table, { tokenHash }: Pick<TokenRecord, 'tokenHash'>): Promise<void> => {
  await client.send(new DeleteCommand({ TableName: table, Key: { [tokensTable.partitionKey]: tokenHash } }));
};

/** @throws {StaffError} if the name is taken */
export const issueToken = async (tokens: Table, token: NewToken): Promise<IssuedToken> => {
  const isTaken = (await readTokens(tokens)).some(({ name }) => name === token.name);
  if (isTaken)
    throw new StaffError(`There is already a token named "${token.name}": rotate it or choose another name.`);
  return putToken(tokens, token);
};

/**
 * Lists the tokens by name.
 * @param leaveOut gets the name of each unreadable one
 */
export const listTokens = async (tokens: Table, leaveOut: (name: string) => void): Promise<TokenRecord[]> =>
  (await readTokens(tokens)).flatMap(({ name, record }) => {
    if (record) return [record];
    leaveOut(name);
    return [];
  });

/**
 * Revokes every token of a name, even unreadable ones. After a rotation there are several.
 * @returns the number of tokens
 * @throws {StaffError} if there is none
 */
export const revokeTokens = async (tokens: Table, name: string): Promise<number> => {
  const found = await findTokens(tokens, name);
  for (const token of found) await deleteToken(tokens, token);
  return found.length;
};

/** Ends a token at a time, or earlier if it expires earlier. @returns its end; undefined if it has ended */
const endToken = async (tokens: Table, token: TokenRecord, end: Date, now: Date): Promise<Date | undefined> => {
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
    // Somebody revoked it meanwhile.
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/** The expiry of a successor that begins now: it lives as long as the earlier token did from its creation. */
const expiryLike = ({ createdAt, expiresAt }: TokenRecord, now: Date) =>
  expiresAt !== undefined && {
    expiresAt: new Date(now.getTime() + new Date(expiresAt).getTime() - new Date(createdAt).getTime()),
  };

/**
 * Issues a successor of a token. The earlier token still works for the grace period. Expired tokens of that name are removed.
 * The successor is stored first: if the command stops in between, both work, and the next rotation ends the earlier one.
 * @param grace in milliseconds
 * @returns `until`: when the last of the earlier tokens ends, unless all have
 * @throws {StaffError} if there is no token of that name, or it cannot be read
 */
export const rotateToken = async (
  tokens: Table,
  { name, grace, now }: { readonly name: string; readonly grace: number; readonly now: Date },
): Promise<IssuedToken & { readonly until?: Date }> => {
  const before = (await findTokens(tokens, name)).map(({ record }) => {
    if (record) return record;
    throw new StaffError(`The token "${name}" is unreadable: revoke it and issue another.`);
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
