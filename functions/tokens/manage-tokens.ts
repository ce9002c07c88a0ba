import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Table } from '../shared/dynamodb.ts';
import { generateToken, hashToken, isExpired, type TokenRecord, tokenIdOf, tokenRecord, tokensTable } from './token.ts';

const { listIndex } = tokensTable;

/** All tokens share one partition of the list. */
const tokensPartition = 'tokens';

interface NewToken {
  /** One line of text, trimmed. */
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
const readStoredTokens = async ({ client, table }: Table): Promise<StoredToken[]> => {
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

/** The tokens of a name: after a rotation there are several. */
const findTokens = async (tokens: Table, name: string): Promise<StoredToken[]> =>
  (await readStoredTokens(tokens)).filter((token) => token.name === name);

/** Makes and stores a token, whatever the names of others. */
export const putToken = async (
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

/** `taken`: there is a token of that name. */
type Issued = (IssuedToken & { readonly outcome: 'issued' }) | { readonly outcome: 'taken' };

/** Makes and stores a token, unless its name is taken. */
export const issueToken = async (tokens: Table, token: NewToken): Promise<Issued> => {
  const namesakes = await findTokens(tokens, token.name);
  if (namesakes.length > 0) return { outcome: 'taken' };
  const issued = await putToken(tokens, token);
  return { outcome: 'issued', ...issued };
};

/**
 * Reads all tokens by name.
 * @param leaveOut gets the name of each unreadable one
 */
export const readTokens = async (tokens: Table, leaveOut: (name: string) => void): Promise<TokenRecord[]> =>
  (await readStoredTokens(tokens)).flatMap(({ name, record }) => {
    if (record) return [record];
    leaveOut(name);
    return [];
  });

/**
 * Revokes every token of a name or, if none has it, the one with that id, even unreadable ones.
 * @returns the names of the revoked tokens
 */
export const revokeTokens = async (tokens: Table, nameOrId: string): Promise<readonly string[]> => {
  const all = await readStoredTokens(tokens);
  const named = all.filter(({ name }) => name === nameOrId);
  const found = named.length > 0 ? named : all.filter(({ tokenHash }) => tokenIdOf(tokenHash) === nameOrId);
  for (const token of found) await deleteToken(tokens, token);
  return found.map(({ name }) => name);
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
const expiryLike = ({ createdAt, expiresAt }: TokenRecord, now: Date): Pick<NewToken, 'expiresAt'> => {
  if (expiresAt === undefined) return {};
  const lifetime = new Date(expiresAt).getTime() - new Date(createdAt).getTime();
  return { expiresAt: new Date(now.getTime() + lifetime) };
};

interface Rotation {
  readonly name: string;
  /** For how many milliseconds the earlier token still works. */
  readonly grace: number;
  readonly now: Date;
}

/**
 * `until`: when the last of the earlier tokens ends, unless all have. `missing`: there is no token of that name. `unreadable`: a
 * token of that name is.
 */
type Rotated =
  | (IssuedToken & { readonly outcome: 'rotated'; readonly until?: Date })
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unreadable' };

/**
 * Issues a successor of a token. The earlier token still works for the grace period. Expired tokens of that name are removed.
 * The successor is stored first: if the process stops in between, both work, and the next rotation ends the earlier one.
 */
export const rotateToken = async (tokens: Table, { name, grace, now }: Rotation): Promise<Rotated> => {
  const found = await findTokens(tokens, name);
  if (found.length === 0) return { outcome: 'missing' };
  const before = found.map(({ record }) => record).filter((record) => record !== undefined);
  if (before.length < found.length) return { outcome: 'unreadable' };
  const last = before.reduce((one, other) => (other.createdAt > one.createdAt ? other : one));
  const issued = await putToken(tokens, { name, permissions: last.permissions, ...expiryLike(last, now), now });
  let until: Date | undefined;
  for (const token of before) {
    const end = await endToken(tokens, token, new Date(now.getTime() + grace), now);
    if (end && !(until && until > end)) until = end;
  }
  return { outcome: 'rotated', ...issued, ...(until && { until }) };
};
