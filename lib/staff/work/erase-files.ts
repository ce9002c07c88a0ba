import { filesBucket } from '../../../functions/files/file.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { count } from '../../shared/terminal-text.ts';
import type { FilesBucket } from '../environment/files-bucket.ts';
import type { CommandIo } from '../tool/command-io.ts';
import { bucketObjects, type StoredObject } from './bucket-objects.ts';

/** Milliseconds between two looks at what is left, and how often to look: two minutes. */
const pause = 2_000;
const looks = 60;

/** The files of erased contact requests. The service deletes them, not the command: one way for whatever deletes an item. */
export interface ErasedFiles {
  readonly found: number;
  /** Of all of them. */
  readonly bytes: number;
  /** The number of those that are not deleted yet. */
  readonly left: number;
}

const notGone = (left: number, { isServed }: FilesBucket) =>
  new StaffError(
    isServed
      ? `${count(left, 'file')} still there after two minutes: the service goes on trying, and after an hour an alarm says so. See docs/files.md#deletion.`
      : `${count(left, 'file')} still there: the service deletes them while it runs. Run "npm start".`,
  );

/** Counts the files of contact requests before these are deleted, and then waits until they are gone. */
export const filesToErase = (bucket: FilesBucket) => {
  const { list } = bucketObjects(bucket);
  const found = new Map<string, readonly StoredObject[]>();

  const listOf = (id: string) => list(filesBucket.prefixOf(id));

  /** Those of a contact request that are left. New ones, of another contact request with this id, do not count. */
  const leftOf = async (id: string) => {
    const keys = new Set((await listOf(id)).map(({ key }) => key));
    return (found.get(id) ?? []).filter(({ key }) => keys.has(key));
  };

  return {
    count: async (id: string): Promise<void> => {
      found.set(id, await listOf(id));
    },

    /**
     * Waits for at most two minutes, unless no service runs that would delete them.
     * @returns also why the command fails if some are left
     */
    untilGone: async (
      ids: readonly string[],
      io: Pick<CommandIo, 'progress' | 'signal' | 'wait'>,
    ): Promise<{ readonly files: ErasedFiles; readonly failure: unknown }> => {
      using progress = io.progress('file', 'left');
      const all = ids.flatMap((id) => found.get(id) ?? []);
      let left = new Map(ids.map((id) => [id, found.get(id) ?? []]));
      const countLeft = () => [...left.values()].flat().length;
      const look = async () => {
        const waiting = [...left].filter(([, objects]) => objects.length > 0);
        left = new Map(await Promise.all(waiting.map(async ([id]) => [id, await leftOf(id)] as const)));
        progress.report(countLeft());
      };
      const wait = async () => {
        for (let looked = 0; countLeft() > 0 && looked < looks; looked += 1) {
          await look();
          if (countLeft() === 0 || !bucket.isServed) return;
          await io.wait(pause, io.signal);
          io.signal.throwIfAborted();
        }
      };
      const stopped: unknown = await wait().catch((error) => error);
      const files = { found: all.length, bytes: all.reduce((sum, { size }) => sum + size, 0), left: countLeft() };
      return { files, failure: stopped ?? (files.left > 0 ? notGone(files.left, bucket) : undefined) };
    },
  };
};
