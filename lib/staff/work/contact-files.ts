import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { type ContactFile, filesBucket } from '../../../functions/files/file.ts';
import type { FileState } from '../../../functions/files/state.ts';
import { english } from '../../../functions/languages/load.ts';
import { formatSize } from '../../../functions/notify/format-size.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { count, printable } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import type { CommandIo } from '../tool/command-io.ts';
import { makeFolder, writeVisitorsFile } from '../tool/visitors-file.ts';
import { bucketObjects } from './bucket-objects.ts';
import { findShown } from './contact-by-id.ts';

/** A file as the command prints it. */
interface ShownFile extends ContactFile {
  readonly state: FileState;
  /** Where it was written. */
  readonly path?: string;
}

/** Why a file is not written, by its state. */
const refusals: Readonly<Partial<Record<FileState, string>>> = {
  infected: 'it is infected, so nobody can fetch it. Delete the contact request, or ask the visitor for another file.',
  pending: 'it is not scanned yet. Try again in a minute.',
};

const uploaded = v.object({ [contactsTable.upload]: v.string() });

/** The random part of the keys of its files. */
const uploadOf = async ({ tables }: StaffEnvironment, id: string): Promise<string | undefined> => {
  const { client, table } = tables.contacts;
  const command = new GetCommand({ TableName: table, Key: { id }, ProjectionExpression: contactsTable.upload });
  const { Item: item } = await client.send(command);
  return v.is(uploaded, item) ? item[contactsTable.upload] : undefined;
};

/**
 * Lists the files of a contact request with their states and, if there is a folder, writes them into it.
 * @throws {StaffError} as `findShown`, or if the environment has no bucket
 */
export const contactFiles = async (
  environment: StaffEnvironment,
  { id, output }: { readonly id: string; readonly output?: string | undefined },
  io: CommandIo,
): Promise<Result> => {
  const { contact } = await findShown(environment, id);
  const { files: given = [] } = contact;
  const heads = [...(output === undefined ? [] : ['WRITTEN']), 'NAME', 'TYPE', 'SIZE', 'STATE'];
  if (given.length === 0) {
    return { json: [], text: { heads, rows: [] }, status: () => `The contact request ${id} has no files.` };
  }

  const { files: bucket, settings, name } = environment;
  const upload = await uploadOf(environment, id);
  if (!bucket || upload === undefined) {
    throw new StaffError(
      `"${name}" has no bucket for files: see docs/restore.md. The contact request names ${given.map((file) => `"${file.name}"`).join(', ')}.`,
    );
  }
  const { stateOf, get } = bucketObjects(bucket);
  if (output !== undefined) await makeFolder(output);

  using progress = output === undefined ? undefined : io.progress('file', 'written');
  const shown: ShownFile[] = [];
  const errors: string[] = [];
  let written = 0;
  for (const [at, file] of given.entries()) {
    io.signal.throwIfAborted();
    const key = filesBucket.keyOf(id, upload, at);
    const state = await stateOf(key, settings.scansFiles ?? false);
    const fail = (reason: string) => errors.push(`Did not write "${file.name}": ${reason}`);
    const fetchInto = async (into: string): Promise<string | undefined> => {
      const refusal = refusals[state];
      if (refusal !== undefined) return void fail(refusal);
      const stored = await get(key);
      if (!stored) return void fail('it is not in the bucket. See docs/restore.md.');
      if (state === 'unknown') io.warn(`Nothing has scanned "${printable(file.name)}": open it with care.`);
      const path = await writeVisitorsFile(into, file.name, stored.bytes);
      written += 1;
      progress?.report(written);
      return path;
    };
    const path = output === undefined ? undefined : await fetchInto(output);
    shown.push({ ...file, state, ...(path !== undefined && { path }) });
  }
  const rows = shown.map((file) => [
    ...(output === undefined ? [] : [file.path ?? '']),
    file.name,
    file.type,
    formatSize(file.size, english),
    file.state,
  ]);
  return {
    json: [shown],
    text: { heads, rows: [rows], isWide: true },
    status: output === undefined ? undefined : () => `Wrote ${count(written, 'file')}.`,
    error: errors.length > 0 ? new StaffError(...errors) : undefined,
  };
};
