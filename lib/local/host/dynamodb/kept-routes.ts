import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Database } from './database.ts';
import { type StreamRoute, streamRouteSchema } from './stream-route.ts';

/** Beside what dynalite keeps, which does not look at it. */
const key = 'stream-routes';

const keptSchema = v.object({ routes: v.array(streamRouteSchema) });

/**
 * The routes of the service that had the store last: who opens it without a template, as the staff command does, changes
 * items as well.
 */
export const readKeptRoutes = async (database: Database): Promise<readonly StreamRoute[]> => {
  const kept = await database.get(key);
  return kept === undefined ? [] : v.parse(keptSchema, kept).routes;
};

/** Keeps the routes of a service; writes nothing when they are the same, so that a full disk stops no start. */
export const keepRoutes = async (database: Database, routes: readonly StreamRoute[]): Promise<void> => {
  const kept = await database.get(key);
  if (isDeepStrictEqual(kept?.['routes'] ?? [], routes)) return;
  await database.write([{ type: 'put', key, value: { routes } }]);
};
