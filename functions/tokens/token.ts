import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { tokenPrefix } from './token-format.ts';

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
