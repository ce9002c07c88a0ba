import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { ListPage } from '../shared/list-page.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import type { HttpRequest } from './request.ts';

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

/** The same request with other parameters, as an absolute URL. */
const withParameters = (request: HttpRequest, parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams();
  for (const [name, values] of request.query) for (const value of values) query.append(name, value);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return `${request.url}?${query}`;
};

/**
 * The header that leads to the next page of the named list (RFC 8288), if there is one.
 * @param next the sort key that this page ended with
 * @param more parameters that the next page has otherwise than this one
 */
export const linkHeader = (
  request: HttpRequest,
  list: string,
  next: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> =>
  next === undefined
    ? {}
    : { Link: `<${withParameters(request, { ...more, cursor: encodeCursor(list, next) })}>; rel="next"` };

/** Tells the operator of the items that a page had to leave out: docs/runbook.md says what to do about them. */
export const reportUnreadable = (list: string, { unreadable }: ListPage<unknown>, count: CountMetric): void => {
  for (const id of unreadable) {
    log('error', 'item left out of a list: it cannot be read', { list, id });
    count('UnreadableItems');
  }
};
