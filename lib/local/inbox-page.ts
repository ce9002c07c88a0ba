import { join } from 'node:path';

/** A folder of the project. */
export const folderOf = (name: string): string => join(import.meta.dirname, '..', '..', name);

/** The API's URL in the files of the example site and of the inbox. */
export const writtenBaseUrl = 'http://127.0.0.1:3000';

/** A page cannot forbid frames by itself: `frame-ancestors` works only as a header. */
export const inboxHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
