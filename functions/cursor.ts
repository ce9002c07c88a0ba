import { createHash } from 'node:crypto';
import * as v from 'valibot';

const checksumLength = 6;

const checksum = (list: string, sortKey: string) =>
  createHash('sha256').update(`${list}\0${sortKey}`).digest().subarray(0, checksumLength);

/**
 * A cursor: the sort key that a page ended with, and a checksum by which it is known as one of this list. It needs no
 * secret: a forged one leads to a place in the list that its holder may read anyway.
 */
export const encodeCursor = (list: string, sortKey: string): string =>
  Buffer.concat([checksum(list, sortKey), Buffer.from(sortKey)]).toString('base64url');

const decodeCursor = (list: string, cursor: string): string | undefined => {
  const bytes = Buffer.from(cursor, 'base64url');
  const sortKey = bytes.subarray(checksumLength).toString();
  return encodeCursor(list, sortKey) === cursor ? sortKey : undefined;
};

/** A cursor of a list as a query parameter; parsed to its sort key. */
export const cursorOf = (list: string) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const sortKey = decodeCursor(list, dataset.value);
      if (sortKey !== undefined) return sortKey;
      addIssue({ message: 'This is no cursor of this list: take one from a Link header.' });
      return NEVER;
    }),
  );
