import * as v from 'valibot';
import { deleteIfSpam, readContacts } from '../../../functions/contacts/manage-contacts.ts';
import { count } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { writeEach } from '../tool/write-each.ts';

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

/** The other attributes may be unreadable. */
const spamItem = v.object({
  id: v.string(),
  site: v.optional(v.unknown()),
  form: v.optional(v.unknown()),
  campaign: v.optional(v.unknown()),
});

type SpamFilter = (item: v.InferOutput<typeof spamItem>) => boolean;

const findSpam = async (
  { tables }: StaffEnvironment,
  since: string | undefined,
  keeps: SpamFilter | undefined,
  io: CommandIo,
): Promise<string[]> => {
  using progress = io.progress('contact request', 'found');
  const options = { schema: spamItem, keeps, leaveOut: sayUnreadable(io, 'contact request'), signal: io.signal };
  const ids: string[] = [];
  for await (const page of readContacts(tables.contacts, { spam: true, since }, options)) {
    ids.push(...page.map(({ id }) => id));
    progress.report(ids.length);
  }
  return ids;
};

/**
 * Deletes spam for good, even what has expired.
 * @param since bounds the time of its arrival
 * @param keeps limits it to a site, a form or a campaign
 * @throws {StaffError} if nobody agrees
 */
export const deleteSpam = async (
  environment: StaffEnvironment,
  since: string | undefined,
  keeps: SpamFilter | undefined,
  io: CommandIo,
): Promise<Result> => {
  const ids = await findSpam(environment, since, keeps, io);
  io.say(`Found ${count(ids.length, 'contact request')} marked as spam.`);
  if (ids.length > 0) await io.agree('Delete for good?');
  const { contacts } = environment.tables;
  const { deleted, left, failure } = await deleteContacts(ids, (id) => deleteIfSpam(contacts, id), io);
  return {
    json: { found: ids.length, deleted: deleted.length, left },
    text: ids.length > 0 ? `Deleted ${count(deleted.length, 'contact request')} for good.\n` : '',
    error: failure,
  };
};
