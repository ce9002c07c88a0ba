import * as v from 'valibot';
import { contactsTable, expiring, expiryOf, listedAtOf, toSeconds } from '../../../functions/contacts/table.ts';

/**
 * A change of an item is a record of the table's stream, and who is told of contact requests is told of what was written
 * within an hour of entering the list (functions/notify/fan-out.ts): they would hear of it again. A minute more, for the clocks.
 */
const youngFor = 61 * 60 * 1000;

/** What of a contact request says when it expires, and when it should. */
export const standing = v.object({
  id: v.string(),
  createdAt: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
  releasedAt: v.exactOptional(v.string()),
  [contactsTable.listIndex.sortKey]: v.string(),
  ...expiring.entries,
});

export type Standing = v.InferOutput<typeof standing>;

export interface Change {
  readonly item: Standing;
  /** In seconds since 1970; nothing: never. */
  readonly expiresAt: number | undefined;
  /** Whether that is over. */
  readonly gone: boolean;
}

/** What is to become of a contact request; nothing where it is as it should be. */
export type Plan = (item: Standing) => Change | 'young' | undefined;

export const planOf = (now: Date, retentionDays: number | undefined): Plan => {
  const youngFrom = new Date(now.getTime() - youngFor).toISOString();
  const today = toSeconds(now);
  return (item) => {
    const wanted =
      retentionDays === undefined ? undefined : toSeconds(expiryOf(new Date(item.createdAt), retentionDays));
    if (item.expiresAt === wanted) return undefined;
    if (listedAtOf(item) > youngFrom) return 'young';
    if (wanted === undefined || wanted > today) return { item, expiresAt: wanted, gone: false };
    // What expired five years ago DynamoDB does not delete:
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
    return { item, expiresAt: today, gone: true };
  };
};
