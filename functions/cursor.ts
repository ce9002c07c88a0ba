import { createHash } from 'node:crypto';
import * as v from 'valibot';

const checksumLength = 6;

const checksum = (list: string, sortKey: string) =>
  createHash('sha256').update(`${list}\0${sortKey}`).digest().subarray(0, checksumLength);

/** The longest sort key that DynamoDB takes, in bytes. */
const maxBytes = 1024;

/**
 * A cursor: the sort key that a page ended with, and a checksum by which it is known as one of this list. It needs no
 * secret: a forged one leads to a place in the list that its holder may read anyway.
 */
export const encodeCursor = (list: string, sortKey: string): string =>
  Buffer.concat([checksum(list, sortKey), Buffer.from(sortKey)]).toString('base64url');

/** The checksum is no secret, so that the key has to be looked at, too. */
const decodeCursor = (list: string, form: RegExp, cursor: string): string | undefined => {
  const bytes = Buffer.from(cursor, 'base64url').subarray(checksumLength);
  const sortKey = bytes.toString();
  const isSound = bytes.length <= maxBytes && form.test(sortKey) && encodeCursor(list, sortKey) === cursor;
  return isSound ? sortKey : undefined;
};

/**
 * A cursor of a list as a query parameter; parsed to its sort key.
 * @param form of the list's sort keys
 */
export const cursorOf = (list: string, form: RegExp) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const sortKey = decodeCursor(list, form, dataset.value);
      if (sortKey !== undefined) return sortKey;
      addIssue({ message: 'This is no cursor of this list: take one from a Link header.' });
      return NEVER;
    }),
  );
