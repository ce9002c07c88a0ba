import { isolate } from '../../local/host/isolation.ts';
import { openDeployedTables } from './deployed.ts';
import { openLocalTables } from './local.ts';
import type { StaffTables } from './tables.ts';

/**
 * Opens the tables of an environment: `local` or the name of a deployed one.
 * @throws {StaffError} when there are none
 */
export const openTables = (environment: string): Promise<StaffTables> =>
  environment === 'local' ? openLocalTables(isolate(process.env)) : openDeployedTables(environment);
