import * as v from 'valibot';
import { staffContact } from '../../../functions/contacts/contact.ts';
import { deleteIfListed, findContact, readContacts } from '../../../functions/contacts/manage-contacts.ts';
import { count } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { writeEach } from '../tool/write-each.ts';
import { entryOf } from './list-contacts.ts';
import { type SelectionOptions, selectContacts } from './select-contacts.ts';

export interface Deletion {
  /** The ids of those that it deleted. */
  readonly deleted: readonly string[];
  /** The number of those that it did not reach. */
  readonly left: number;
  /** Why it stopped early, if it did. */
  readonly failure: unknown;
}

/**
 * Deletes contact requests for good until a deletion fails or Ctrl-C.
 * @param deleteOne returns false if the contact request is gone, or must be kept
 */
export const deleteContacts = async (
  ids: readonly string[],
  deleteOne: (id: string) => Promise<boolean>,
  io: CommandIo,
): Promise<Deletion> => {
  using progress = io.progress('contact request', 'deleted');
  const deleted: string[] = [];
  let reached = 0;
  const failure: unknown = await writeEach([ids], io.signal, async (id) => {
    if (await deleteOne(id)) deleted.push(id);
    reached += 1;
    progress.report(deleted.length);
  }).catch((error) => error);
  return { deleted, left: ids.length - reached, failure };
};

/** A contact request, or the item of an unreadable one, which can be deleted, too. */
const deletable = v.union([
  v.pipe(
    staffContact,
    v.transform((contact) => ({ id: contact.id, contact })),
  ),
  v.pipe(
    v.looseObject({ id: v.string() }),
    v.transform((item) => ({ id: item.id, item })),
  ),
]);

/** So many show whether the filters select what they should. */
const samples = 5;

/** Shows some of the contact requests, from the newest to the oldest. */
const sampleOf = async ({ tables }: StaffEnvironment, ids: readonly string[], io: CommandIo) => {
  const plain = { columns: Math.min(io.columns, 100), style: (_: unknown, text: string) => text };
  const step = Math.max(1, (ids.length - 1) / (samples - 1));
  const chosen = Array.from({ length: Math.min(samples, ids.length) }, (_, at) => ids[Math.round(at * step)] ?? '');
  const found = await Promise.all(chosen.map((id) => findContact(tables.contacts, id)));
  return found
    .flatMap((each) => (each.outcome === 'found' ? [entryOf(each.contact, plain)] : []))
    .join('')
    .trimEnd();
};

/**
 * Deletes what the options select for good, even what has expired. It can be stopped and repeated.
 * @throws {StaffError} if nobody types the number
 */
export const deleteSelected = async (
  environment: StaffEnvironment,
  options: SelectionOptions,
  io: CommandIo,
): Promise<Result> => {
  const { contacts } = environment.tables;
  const { range, keeps, keepsUnreadable } = await selectContacts(environment, options, io);
  const { since, until, spam } = range;
  const ids: string[] = [];
  {
    using progress = io.progress('contact request', 'found');
    const pages = readContacts(
      contacts,
      { since, until, spam },
      {
        schema: deletable,
        keeps: (each) => ('contact' in each ? (keeps?.(each.contact) ?? true) : keepsUnreadable(each.item)),
        leaveOut: sayUnreadable(io, 'contact request'),
        signal: io.signal,
      },
    );
    for await (const page of pages) {
      ids.push(...page.map(({ id }) => id));
      progress.report(ids.length);
    }
  }
  io.say(`Found ${count(ids.length, 'contact request')}${spam ? ' marked as spam' : ''}.`);
  if (ids.length > 0) {
    const sample = await sampleOf(environment, ids, io);
    await io.agree('To delete them for good, type their number:', sample || undefined, ids.length);
  }
  const { deleted, left, failure } = await deleteContacts(ids, (id) => deleteIfListed(contacts, id, spam), io);
  return {
    json: { found: ids.length, deleted: deleted.length, left },
    text: ids.length > 0 ? `Deleted ${count(deleted.length, 'contact request')} for good.\n` : '',
    error: failure,
  };
};
