import type { StaffTables } from './tables.ts';

/**
 * Opens the tables of an environment: `local` or the name of a deployed one.
 * @throws {StaffError} when there are none
 */
export const openTables = async (environment: string): Promise<StaffTables> => {
  // Each takes a while to load, and one is enough.
  if (environment !== 'local') return (await import('./deployed.ts')).openDeployedTables(environment);
  const [{ openLocalTables }, { isolate }] = await Promise.all([
    import('./local.ts'),
    import('../../local/host/isolation.ts'),
  ]);
  return openLocalTables(isolate(process.env));
};
