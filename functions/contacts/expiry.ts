import * as v from 'valibot';
import type { Condition } from '../list-page.ts';

/** When a contact request expires, in seconds since 1970. */
export const expiring = v.object({ expiresAt: v.exactOptional(v.number()) });

export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** When a contact request expires that is kept for so many days. */
export const expiryOf = (createdAt: Date, retentionDays: number): Date =>
  new Date(createdAt.getTime() + retentionDays * 24 * 60 * 60 * 1000);

export const isExpired = ({ expiresAt = Infinity }: v.InferOutput<typeof expiring>, now: Date): boolean =>
  expiresAt <= toSeconds(now);

/** Leaves out of a list what has expired, though it was not yet removed. */
export const notExpired = (now: Date): Condition => ({
  expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now',
  values: { ':now': toSeconds(now) },
});
