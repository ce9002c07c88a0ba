import type { Place } from '../place.ts';
import type { StaffTables } from './tables.ts';

/**
 * Opens the tables of a place.
 * @throws {StaffError} when there are none
 */
export const openTables = async (place: Place): Promise<StaffTables> => {
  // Each takes a while to load, and one is enough.
  if (place !== 'local') return (await import('./deployed.ts')).openDeployedTables(place);
  const [{ openLocalTables }, { isolate }] = await Promise.all([
    import('./local.ts'),
    import('../../local/host/isolation.ts'),
  ]);
  return openLocalTables(isolate(process.env));
};
