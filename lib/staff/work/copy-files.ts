import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { filesBucket, storedFiles } from '../../../functions/files/file.ts';
import type { Table } from '../../../functions/shared/dynamodb.ts';
import { count } from '../../shared/terminal-text.ts';
import type { FilesBucket } from '../environment/files-bucket.ts';
import { bucketObjects } from './bucket-objects.ts';
import type { RawItem } from './raw-items.ts';

/** The files of the contact requests to copy. */
export interface SourceFiles {
  /** Undefined if that side has none. A restored table has the bucket of its environment. */
  readonly bucket: FilesBucket | undefined;
  /** Whether that side scans its files. */
  readonly scans: boolean;
}

interface Side {
  readonly table: Table;
  readonly bucket: FilesBucket | undefined;
}

/** The item of a contact request with files. */
const withFiles = v.object({
  id: v.object({ S: v.string() }),
  [contactsTable.upload]: v.object({ S: v.string() }),
  files: v.object({ S: storedFiles }),
});

/** Whether a contact request is there with this upload: another one can have the same id. */
const isThere = async ({ client, table }: Table, id: string, upload: string): Promise<boolean> => {
  const command = new GetItemCommand({ TableName: table, Key: { id: { S: id } }, ConsistentRead: true });
  const { Item: item } = await client.send(command);
  return item?.[contactsTable.upload]?.S === upload;
};

/** Copies the files of copied contact requests under the same keys, as far as they are missing. */
export const filesCopy = (from: SourceFiles, to: Side) => {
  const counts = { read: 0, copied: 0, left: 0, refused: 0, gone: 0 };
  const source = from.bucket && bucketObjects(from.bucket);
  const target = to.bucket && bucketObjects(to.bucket);
  // The files of a restored table are where they have to be, or deleted.
  const isSame = from.bucket?.name === to.bucket?.name;

  const copyOne = async (key: string): Promise<'copied' | 'refused' | 'gone'> => {
    if (!source || !target || isSame) return 'gone';
    const state = from.scans ? await source.stateOf(key, true) : 'unknown';
    if (state === 'infected' || state === 'pending') return 'refused';
    const file = await source.get(key);
    if (!file) return 'gone';
    await target.put(key, file);
    return 'copied';
  };

  return {
    /** @param item one that the target has now, unless it had another one with this id */
    copy: async (item: RawItem): Promise<void> => {
      const parsed = v.safeParse(withFiles, item);
      if (!parsed.success) return;
      const { id, files, upload } = parsed.output;
      const keys = files.S.map((_, at) => filesBucket.keyOf(id.S, upload.S, at));
      counts.read += keys.length;
      if (!source || !target) {
        counts.left += keys.length;
        return;
      }
      const there = new Set((await target.list(filesBucket.prefixOf(id.S))).map(({ key }) => key));
      const missing = keys.filter((key) => !there.has(key));
      if (missing.length === 0 || !(await isThere(to.table, id.S, upload.S))) return;
      for (const key of missing) counts[await copyOne(key)] += 1;
    },

    /** @returns undefined if there are no files */
    result: () => {
      const { read, copied, left, refused, gone } = counts;
      return read === 0 ? undefined : { read, copied, left: left + refused + gone };
    },

    /** What the command says of the files that it left. */
    note: (): string | undefined => {
      const { left, refused, gone } = counts;
      const sentences = [
        left > 0 && `Left ${count(left, 'file')}, because not both sides have a bucket: set files (see docs/files.md).`,
        refused > 0 && `Left ${count(refused, 'file')}, infected or not scanned yet.`,
        gone > 0 && `Left ${count(gone, 'file')}, deleted already or of a stack that --from does not name.`,
      ].filter((sentence) => sentence !== false);
      return sentences.length > 0 ? sentences.join(' ') : undefined;
    },
  };
};

export type FilesCopy = ReturnType<typeof filesCopy>;
