import { resolve } from 'node:path';
import { readDataDir } from '../../local/data-dir.ts';
import { findAnnouncedStore } from '../../local/host/store/announcement.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { type StaffNotifications, targetsIn } from './notifications.ts';

const how = 'with NOTIFY_WEBHOOK or NOTIFY_EMAIL, as in "NOTIFY_EMAIL=me@example.com npm start" (docs/settings.md).';

/**
 * Finds who is told of the contact requests of the local service that runs: it alone tells anybody, and has the queues.
 * `DATA_DIR` is its folder, as for `npm start`.
 * @throws {StaffError} when none runs, or it tells nobody
 */
export const openLocalNotifications = async (variables: NodeJS.ProcessEnv): Promise<StaffNotifications> => {
  const dataDir = readDataDir(variables);
  const running = await findAnnouncedStore(dataDir);
  if (!running) throw new StaffError(`No local service runs in ${resolve(dataDir)}: set DATA_DIR, or start it ${how}`);
  const found = targetsIn(running.outputs);
  const { services: endpoint, accessKeyId } = running;
  if (!found || endpoint === undefined) {
    throw new StaffError(`The local service tells nobody of contact requests: start it anew ${how}`);
  }
  return {
    ...found,
    aws: { endpoint, region: 'local', credentials: { accessKeyId, secretAccessKey: 'local' } },
    now: () => new Date(),
    close: async () => {},
  };
};
