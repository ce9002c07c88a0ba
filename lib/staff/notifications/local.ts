import { resolve } from 'node:path';
import { readDataDir } from '../../local/data-dir.ts';
import { readKeptSecret } from '../../local/host/aws/secrets.ts';
import { readKeptOutputs } from '../../local/host/store/announcement.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { type StaffNotifications, targetsIn } from './notifications.ts';

/**
 * The targets of the local service, whether it runs or not. `DATA_DIR` is its folder, as for `npm start`.
 * @throws {StaffError} if it has none
 */
export const openLocalNotifications = async (variables: NodeJS.ProcessEnv): Promise<StaffNotifications> => {
  const dataDir = readDataDir(variables);
  const found = targetsIn((await readKeptOutputs(dataDir)) ?? {});
  if (!found) {
    throw new StaffError(
      `The local service in ${resolve(dataDir)} notifies nobody: set DATA_DIR, or start it with a target, as in "NOTIFY_WEBHOOK=http://localhost:9000/ npm start".`,
    );
  }
  return {
    ...found,
    get aws(): never {
      throw new StaffError(
        'On this machine, "notifications" has only "secret": to try the notifications, send the form of the example site.',
      );
    },
    keptSecretOf: async ({ name, secret }) => {
      const kept = await readKeptSecret(dataDir, secret);
      if (kept === undefined) throw new StaffError(`The secret of ${name} is missing: start the local service once.`);
      return kept;
    },
    now: () => new Date(),
    close: async () => {},
  };
};
