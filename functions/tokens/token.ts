import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';

/** The tokens table: the infrastructure creates it, the store uses it. */
export const tokensTable = {
  /** The environment variable that tells a function the table's name. */
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

/** What the `Authentication` header may hold: a token, alone or behind `Bearer`, in any case (RFC 9110, section 11.1). */
export const authenticationHeaderPattern = `^(?:[Bb][Ee][Aa][Rr][Ee][Rr] )?(${token})$`;

/** A new token: 256 random bits behind the prefix. */
export const generateToken = (): string => tokenPrefix + randomBytes(32).toString('base64url');

/** What is stored of a token, and by what it is found: its SHA-256, in hexadecimal. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Tells tokens apart where neither the token nor its name may stand: the beginning of its hash. */
export const tokenIdOf = (tokenHash: string): string => tokenHash.slice(0, 12);

/** A token's record, as it is stored. */
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

/** Whether a token has expired. */
export const isExpired = ({ expiresAt }: TokenRecord, now: Date): boolean =>
  expiresAt !== undefined && !(new Date(expiresAt) > now);
