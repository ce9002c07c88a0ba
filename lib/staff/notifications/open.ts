import { resolve } from 'node:path';
import { readDataDir } from '../../local/data-dir.ts';
import { readSavedSecret } from '../../local/host/aws/secrets.ts';
import { isolate } from '../../local/host/isolation.ts';
import { readSavedOutputs } from '../../local/host/store/announcement.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { Place } from '../place.ts';
import { type StaffNotifications, targetsIn } from './notifications.ts';

/**
 * Finds the targets of the local service, whether it runs or not. `DATA_DIR` is its folder, as for `npm start`.
 * @throws {StaffError} if it has none
 */
const openLocalNotifications = async (variables: NodeJS.ProcessEnv): Promise<StaffNotifications> => {
  const dataDir = readDataDir(variables);
  const found = targetsIn((await readSavedOutputs(dataDir)) ?? {});
  if (!found) {
    throw new StaffError(
      `The local service in ${resolve(dataDir)} notifies nobody: set DATA_DIR, or start it with a target, as in "NOTIFY_WEBHOOK=http://localhost:9000/ npm start".`,
    );
  }
  return {
    ...found,
    aws: {},
    keptSecretOf: async ({ name, secret }) => {
      const kept = await readSavedSecret(dataDir, secret);
      if (kept === undefined) throw new StaffError(`The secret of ${name} is missing: start the local service once.`);
      return kept;
    },
    now: () => new Date(),
    close: async () => {},
  };
};

/**
 * Finds the notifications of a place.
 * @throws {StaffError} if it has none
 */
export const openNotifications = async (place: Place): Promise<StaffNotifications> => {
  if (place === 'local') return openLocalNotifications(isolate(process.env));
  const { openDeployedNotifications } = await import('./deployed.ts');
  return openDeployedNotifications(place);
};
