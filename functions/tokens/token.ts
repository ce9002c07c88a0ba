import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';

/** The tokens table, for the infrastructure and the store. */
export const tokensTable = {
  /** The environment variable with the table's name. */
  variable: 'TOKENS_TABLE',
  partitionKey: 'tokenHash',
  /** Lists by name, for the staff command; all tokens share one partition. */
  listIndex: { name: 'list', partitionKey: 'listPartition', sortKey: 'name' },
} as const;

/**
 * A token: a recognisable prefix, then 256 random bits in base64url. The prefix lets secret scanners find a leaked
 * token, and lets the gateway refuse anything else before code runs.
 */
export const tokenPrefix = 'crcs_';

const token = `${tokenPrefix}[A-Za-z0-9_-]{43}`;

/** The `Authentication` header: a token, alone or behind `Bearer` in any case (RFC 9110, section 11.1). */
export const authenticationHeaderPattern = `^(?:[Bb][Ee][Aa][Rr][Ee][Rr] )?(${token})$`;

/** A new token: 256 random bits behind the prefix. */
export const generateToken = (): string => tokenPrefix + randomBytes(32).toString('base64url');

/** The SHA-256 of a token, in hexadecimal: the key under which it is stored. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Identifies a token in logs: the beginning of its hash. */
export const tokenIdOf = (tokenHash: string): string => tokenHash.slice(0, 12);

/** A stored token. */
export const tokenRecord = v.object({
  tokenHash: v.string(),
  name: v.string(),
  permissions: v.array(v.string()),
  /** RFC 3339, UTC, milliseconds. */
  createdAt: v.string(),
  /** RFC 3339, UTC, milliseconds; absent: the token does not expire. */
  expiresAt: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
});

export type TokenRecord = v.InferOutput<typeof tokenRecord>;

export const isExpired = ({ expiresAt }: TokenRecord, now: Date): boolean =>
  expiresAt !== undefined && !(new Date(expiresAt) > now);
