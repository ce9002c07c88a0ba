import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import type { HttpRequest } from './request.ts';

const checksumLength = 6;

const checksum = (list: string, sortKey: string) =>
  createHash('sha256').update(`${list}\0${sortKey}`).digest().subarray(0, checksumLength);

/** The longest sort key that DynamoDB takes, in bytes. */
const maxBytes = 1024;

/**
 * A cursor: the sort key of the last item of a page, and a checksum that ties it to this list. It needs no secret: a
 * forged cursor only leads to items that its holder may read anyway.
 */
export const encodeCursor = (list: string, sortKey: string): string =>
  Buffer.concat([checksum(list, sortKey), Buffer.from(sortKey)]).toString('base64url');

/** Anyone can compute the checksum, so the sort key is checked, too. */
const decodeCursor = (list: string, pattern: RegExp, cursor: string): string | undefined => {
  const bytes = Buffer.from(cursor, 'base64url').subarray(checksumLength);
  const sortKey = bytes.toString();
  const isValid = bytes.length <= maxBytes && pattern.test(sortKey) && encodeCursor(list, sortKey) === cursor;
  return isValid ? sortKey : undefined;
};

/**
 * A query parameter that holds a cursor of a list; parsed to the sort key.
 * @param pattern of the list's sort keys
 */
export const cursorOf = (list: string, pattern: RegExp) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const sortKey = decodeCursor(list, pattern, dataset.value);
      if (sortKey !== undefined) return sortKey;
      addIssue({ message: 'Not a cursor of this list: take it from a Link header.' });
      return NEVER;
    }),
  );

/** The URL of the same request with other parameters. */
const withParameters = (request: HttpRequest, parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams();
  for (const [name, values] of request.query) for (const value of values) query.append(name, value);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return `${request.url}?${query}`;
};

/**
 * The `Link` header to the next page of a list (RFC 8288); none on the last page.
 * @param next the sort key of this page's last item
 * @param more parameters that differ on the next page
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

/** Logs and counts the items that a page left out because they cannot be read: see docs/runbook.md. */
export const reportUnreadable = (list: string, ids: readonly string[], count: CountMetric): void => {
  for (const id of ids) {
    log('error', 'item left out of a list: it cannot be read', { list, id });
    count('UnreadableItems');
  }
};
