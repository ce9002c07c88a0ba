import { statfs } from 'node:fs/promises';
import type { Clock } from './host/clock.ts';
import type { Host } from './host/host.ts';
import type { Condition } from './watch.ts';

const hour = 60 * 60_000;

const gigabyte = 1e9;

/** Nearly full: less than a gigabyte is free, or a tenth of a disk that is smaller than ten. */
export const isNearlyFull = ({ free, size }: { readonly free: number; readonly size: number }): boolean =>
  free < Math.min(gigabyte, size / 10);

/**
 * What alarmEmails are told of on a server of one's own, and what makes /health respond with 503.
 * @param readDisk gives the bytes of the disk of the data folder
 */
export const alarmsOf = async (
  host: Pick<Host, 'undelivered'>,
  dataDir: string,
  { now }: Pick<Clock, 'now'>,
  readDisk = async () => {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return { free: bavail * bsize, size: blocks * bsize };
  },
): Promise<readonly Condition[]> => {
  let knownDeadLetters = (await host.undelivered()).deadLetters;
  let deadLetters = knownDeadLetters;
  return [
    {
      name: 'notifications',
      check: async () => {
        const { oldestAt } = await host.undelivered();
        if (oldestAt === undefined || now() - oldestAt < hour) return undefined;
        return 'Notifications have failed for an hour, and are tried again every minute and a half for a day. The contact requests are stored. The log says why: look for "notification failed" and for the source email.';
      },
      over: 'No notification waits for more than an hour any longer.',
    },
    {
      name: 'dead-letters',
      check: async () => {
        ({ deadLetters } = await host.undelivered());
        if (deadLetters <= knownDeadLetters) return undefined;
        return `${deadLetters - knownDeadLetters} notifications failed for a day, and are not tried again. The contact requests are stored: look into the inbox, or run npx --no-install crcs contacts list.`;
      },
      told: () => {
        knownDeadLetters = deadLetters;
      },
    },
    {
      name: 'disk',
      check: async () =>
        isNearlyFull(await readDisk())
          ? `The disk of ${dataDir} is nearly full: free some space. On a full disk no contact request can be stored, and visitors are told so.`
          : undefined,
      over: `The disk of ${dataDir} has enough free space again.`,
    },
  ];
};
