import * as v from 'valibot';
import { storedContact } from '../../functions/contacts/contact.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import type { Staff } from './command.ts';
import { deleteAll, readContacts } from './contact-table.ts';
import { print, printJson, sayUnreadable, withProgress } from './output.ts';
import { type Person, readPerson, type Search, searchFor } from './person.ts';
import { openQuestions } from './questions.ts';
import { count, printable } from './text.ts';

/** The days for which DynamoDB can restore a table: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html */
const recoveryDays = 35;

/** The service's own attributes of an item, which hold no personal data. */
const own = new Set<string>([
  ...['id', 'createdAt', 'releasedAt', 'site', 'expiresAt'],
  ...[contactsTable.listIndex.partitionKey, contactsTable.listIndex.sortKey],
]);

/** A contact request to search; the text of its item if that is unreadable. */
const searched = v.union([
  v.pipe(
    storedContact,
    v.transform((contact) => ({ id: contact.id, contact })),
  ),
  v.pipe(
    v.looseObject({ id: v.string() }),
    v.transform((item) => ({
      id: item.id,
      text: JSON.stringify(
        Object.entries(item).filter(([name]) => !own.has(name)),
        // JSON has no sets, but DynamoDB has.
        (_, value: unknown) => (value instanceof Set ? [...value] : value),
        // In JSON, a line break is \n, whose letter would look like a part of the address after it.
      ).replaceAll(/\\+[bfnrt]/g, ' '),
    })),
  ),
]);

/**
 * Finds a person, also in spam and in expired contact requests. A contact request of the last second may not be listed yet.
 * @returns the fields that name the person, by the contact requests' ids
 */
const find = async (staff: Staff, { tracesIn, isIn }: Search): Promise<Map<string, readonly string[]>> => {
  const leaveOut = sayUnreadable(staff, 'contact request');
  const found = new Map<string, readonly string[]>();
  const tracesOf = (item: v.InferOutput<typeof searched>): readonly string[] => {
    if ('contact' in item) return tracesIn(item.contact);
    if (isIn(item.text)) return ['unreadable item'];
    leaveOut(item.id);
    return [];
  };
  await withProgress(staff, ['contact request', 'read'], async (report) => {
    let read = 0;
    // Spam first: one that is released meanwhile appears in the other list.
    for (const spam of [true, false]) {
      for await (const page of readContacts(staff, { spam }, { schema: searched, leaveOut })) {
        for (const item of page) {
          const traces = tracesOf(item);
          if (traces.length > 0) found.set(item.id, traces);
        }
        read += page.length;
        report(read);
      }
    }
  });
  return found;
};

/** `email (2), extra.contact (1)`: a contact request with both counts for each. */
const describeTraces = (found: Iterable<readonly string[]>): string => {
  const counts = new Map<string, number>();
  for (const trace of [...found].flat()) counts.set(trace, (counts.get(trace) ?? 0) + 1);
  return [...counts].map(([trace, amount]) => `${printable(trace)} (${amount})`).join(', ');
};

/**
 * Deletes every contact request of a person for good, and prints a receipt without personal data.
 * @throws {StaffError} if nobody agrees
 */
export const erasePerson = async (
  staff: Staff,
  given: Person,
  { yes, json }: { readonly yes: boolean; readonly json: boolean },
): Promise<void> => {
  const { stderr, environment } = staff;
  const questions = openQuestions(staff);
  const found = await (async () => {
    try {
      const traces = await find(staff, searchFor(await readPerson(staff, questions, given)));
      if (traces.size === 0) return traces;
      stderr.write(
        `Found ${count(traces.size, 'contact request')}. Matching fields: ${describeTraces(traces.values())}.\n`,
      );
      if (!yes) await questions.agree('Erase for good?');
      return traces;
    } finally {
      questions.close();
    }
  })();

  const { deleted, left, failure } = await deleteAll(staff, [...found.keys()], { onlySpam: false });
  const time = environment.now();
  const backupsEnd = new Date(time);
  backupsEnd.setUTCDate(backupsEnd.getUTCDate() + recoveryDays);
  const record = {
    environment: environment.name,
    time: time.toISOString(),
    ...(environment.stack && { backupsEnd: backupsEnd.toISOString() }),
    found: found.size,
    erased: deleted.length,
    left,
    ids: deleted.toSorted(),
  };
  if (json) await printJson(staff, record);
  else if (found.size === 0) await print(staff, [`Found no contact request in ${environment.name}, ${record.time}\n`]);
  else {
    const all = count(left > 0 ? found.size : deleted.length, 'contact request');
    await print(staff, [
      `Erased ${left > 0 ? `${deleted.length} of ${all}` : all} in ${environment.name}, ${record.time}\n`,
      ...(record.backupsEnd === undefined ? [] : [`Backups keep them until ${record.backupsEnd}\n`]),
      ...record.ids.map((id) => `${id}\n`),
    ]);
  }
  if (deleted.length > 0) stderr.write('Other copies may exist: see docs/security.md#erase-a-person.\n');
  if (failure) throw failure;
};
