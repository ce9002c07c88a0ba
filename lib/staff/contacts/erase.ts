import * as v from 'valibot';
import { storedContact } from '../../../functions/contacts/contact.ts';
import { contactStore } from '../../../functions/contacts/store.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { agree } from '../command-line/agree.ts';
import { printJson } from '../command-line/json.ts';
import { print } from '../command-line/output.ts';
import { withProgress } from '../command-line/progress.ts';
import { openQuestions } from '../command-line/questions.ts';
import { count, printable } from '../command-line/text.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut } from '../tables/left-out.ts';
import { persist } from '../tables/persist.ts';
import { earliest } from './delete.ts';
import { readPerson, type Search, searchFor } from './person.ts';
import type { PersonGiven } from './person-given.ts';
import { readContacts } from './read.ts';

/** How many contact requests are deleted at the same time. */
const deletesAtOnce = 10;

/** As long as DynamoDB can restore a table, in days: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html */
const recoveryDays = 35;

/** The service's own attributes of an item, which are nobody's data. */
const own = new Set<string>([
  ...['id', 'createdAt', 'releasedAt', 'site', 'expiresAt'],
  ...[contactsTable.listIndex.partitionKey, contactsTable.listIndex.sortKey],
]);

/** An item as it is searched: as a contact request, or as a text where it cannot be read as one. */
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
        // JSON knows no set, which DynamoDB has.
        (_, value: unknown) => (value instanceof Set ? [...value] : value),
      ),
    })),
  ),
]);

/**
 * Looks for a person: spam and what has expired too. The list follows a write within a second, so one that comes just then
 * may be missing.
 * @returns in which fields of which contact requests, by their ids
 */
const find = async (staff: Staff, { tracesIn, isIn }: Search): Promise<Map<string, readonly string[]>> => {
  const leaveOut = sayLeftOut(staff, 'contact request');
  const found = new Map<string, readonly string[]>();
  const tracesOf = (item: v.InferOutput<typeof searched>): readonly string[] => {
    if ('contact' in item) return tracesIn(item.contact);
    if (isIn(item.text)) return ['an item that cannot be read'];
    leaveOut(item.id);
    return [];
  };
  await withProgress(staff, ['contact request', 'read'], async (report) => {
    let before = 0;
    // Spam first: what is released meanwhile is met in the other list.
    for (const spam of [true, false]) {
      let done = 0;
      const pages = readContacts(
        staff,
        { spam },
        {
          schema: searched,
          leaveOut,
          report: (amount) => {
            done = amount;
            report(before + amount);
          },
        },
      );
      for await (const page of pages) {
        for (const item of page) {
          const traces = tracesOf(item);
          if (traces.length > 0) found.set(item.id, traces);
        }
      }
      before += done;
    }
  });
  return found;
};

/** `2 by email, 1 by extra.contact`: one that has several traces counts for each. */
const describeTraces = (found: Iterable<readonly string[]>): string => {
  const counts = new Map<string, number>();
  for (const trace of [...found].flat()) counts.set(trace, (counts.get(trace) ?? 0) + 1);
  return [...counts].map(([trace, amount]) => `${amount} by ${printable(trace)}`).join(', ');
};

interface Erasure {
  /** The ids of those that it deleted. */
  readonly erased: readonly string[];
  /** How many it did not come to. */
  readonly left: number;
  /** Why it stopped. */
  readonly failure?: unknown;
}

const eraseAll = async (staff: Staff, ids: readonly string[]): Promise<Erasure> => {
  const store = contactStore(staff.tables.client, staff.tables.contacts);
  const queue = ids.values();
  const erased: string[] = [];
  let gone = 0;
  const workers = await withProgress(staff, ['contact request', 'erased'], (report) => {
    const work = async () => {
      for (const id of queue) {
        // Not found where it was tried before: that did it, and its answer was lost.
        const isErased = await persist(staff, async (wasTried) => (await store.delete(id, earliest)) || wasTried);
        if (isErased) erased.push(id);
        else gone += 1;
        report(erased.length);
      }
    };
    return Promise.allSettled(Array.from({ length: deletesAtOnce }, work));
  });
  const failed = workers.find((worker) => worker.status === 'rejected');
  return { erased, left: ids.length - erased.length - gone, ...(failed && { failure: failed.reason }) };
};

export interface EraseOptions {
  /** Asks nobody. */
  readonly yes: boolean;
  readonly json: boolean;
}

/**
 * Deletes every contact request of a person for good, and prints a record of it that names no person.
 * @throws {StaffError} when nobody agrees to it; what the store keeps failing with
 */
export const erasePerson = async (staff: Staff, given: PersonGiven, { yes, json }: EraseOptions): Promise<void> => {
  const { stderr, tables, environment } = staff;
  const questions = openQuestions(staff);
  const found = await (async () => {
    try {
      const traces = await find(staff, searchFor(await readPerson(staff, questions, given)));
      if (traces.size === 0) return traces;
      stderr.write(`Found ${count(traces.size, 'contact request')}: ${describeTraces(traces.values())}.\n`);
      if (!yes) await agree(staff, 'erase for good', 'erased', questions);
      return traces;
    } finally {
      questions.close();
    }
  })();

  const { erased, left, failure } = await eraseAll(staff, [...found.keys()]);
  const time = tables.now();
  const backupsEnd = new Date(time.getTime());
  backupsEnd.setUTCDate(backupsEnd.getUTCDate() + recoveryDays);
  const record = {
    environment,
    time: time.toISOString(),
    // A local store has none.
    ...(tables.where !== undefined && { backupsEnd: backupsEnd.toISOString() }),
    found: found.size,
    erased: erased.length,
    left,
    ids: [...erased].sort(),
  };
  if (json) await printJson(staff, record);
  else {
    const amount =
      left > 0
        ? `${erased.length} of ${count(found.size, 'contact request')}`
        : count(erased.length, 'contact request');
    await print(staff, [
      `Erased ${amount} in ${environment}, ${record.time}\n`,
      ...(record.backupsEnd === undefined ? [] : [`Backups hold what was erased until ${record.backupsEnd}\n`]),
      ...record.ids.map((id) => `${id}\n`),
    ]);
  }
  if (erased.length > 0) stderr.write('Copies may be elsewhere: docs/privacy.md.\n');
  if (failure) throw failure;
};
