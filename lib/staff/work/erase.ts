import * as v from 'valibot';
import { storedContact } from '../../../functions/contacts/contact.ts';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { deleteIfThere, readAllContacts } from '../../../functions/contacts/manage-contacts.ts';
import { count, formatNumber, printable } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { type Deletion, deleteContacts } from './delete-contacts.ts';
import { type ErasedFiles, filesToErase } from './erase-files.ts';
import {
  ownFields,
  type Person,
  readPerson,
  type Search,
  searchedFields,
  searchFor,
  unsearchedFields,
} from './person.ts';

/** The days for which DynamoDB can restore a table: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html */
const recoveryDays = 35;

/** The service's own attributes of an item. */
const ownAttributes = new Set<string>([
  ...ownFields,
  'expiresAt',
  contactsTable.listIndex.partitionKey,
  contactsTable.listIndex.sortKey,
]);

/** A contact request to search; the text of its item if that is unreadable. */
const searchedItem = v.union([
  v.pipe(
    storedContact,
    v.transform((contact) => ({ id: contact.id, contact })),
  ),
  v.pipe(
    v.looseObject({ id: v.string() }),
    v.transform((item) => ({
      id: item.id,
      text: JSON.stringify(
        Object.entries(item).filter(([name]) => !ownAttributes.has(name)),
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
const findPerson = async (
  { tables }: StaffEnvironment,
  { tracesIn, isIn }: Search,
  io: CommandIo,
): Promise<Map<string, readonly string[]>> => {
  using progress = io.progress('contact request', 'read');
  const leaveOut = sayUnreadable(io, 'contact request');
  const tracesOf = (item: v.InferOutput<typeof searchedItem>): readonly string[] => {
    if ('contact' in item) return tracesIn(item.contact);
    if (isIn(item.text)) return ['unreadable item'];
    leaveOut(item.id);
    return [];
  };
  const found = new Map<string, readonly string[]>();
  const options = { schema: searchedItem, leaveOut, signal: io.signal };
  let read = 0;
  for await (const page of readAllContacts(tables.contacts, {}, options)) {
    for (const item of page) {
      const traces = tracesOf(item);
      if (traces.length > 0) found.set(item.id, traces);
    }
    read += page.length;
    progress.report(read);
  }
  return found;
};

/** `email (2), extra.contact (1)`: a contact request with both counts for each. */
const describeTraces = (found: Iterable<readonly string[]>): string => {
  const counts = new Map<string, number>();
  for (const trace of [...found].flat()) counts.set(trace, (counts.get(trace) ?? 0) + 1);
  return [...counts].map(([trace, amount]) => `${printable(trace)} (${amount})`).join(', ');
};

/** By what the command searched, for the receipt. It is not the address or number itself. */
const marksOf = ({ email, phone }: Person) => [
  ...(email === undefined ? [] : ['email address']),
  ...(phone === undefined ? [] : ['phone number']),
];

/** What the operator can keep as a proof: it holds no personal data. */
const receiptOf = (
  { name, stack, now }: StaffEnvironment,
  person: Person,
  found: number,
  { deleted, left }: Deletion,
  files: ErasedFiles | undefined,
) => {
  const time = now();
  const backupsEnd = new Date(time);
  backupsEnd.setUTCDate(backupsEnd.getUTCDate() + recoveryDays);
  return {
    environment: name,
    time: time.toISOString(),
    by: marksOf(person),
    ...(stack && { backupsEnd: backupsEnd.toISOString() }),
    found,
    erased: deleted.length,
    left,
    ...(files && { files }),
    searched: [...searchedFields, 'names of extra fields'],
    notSearched: [...unsearchedFields, ...(files ? ['contents of files'] : [])],
    ids: deleted.toSorted(),
  };
};

const filesLine = ({ found, bytes, left }: ErasedFiles): string => {
  if (found === 0) return 'Files: none';
  const end = left === 0 ? 'all deleted' : `${formatNumber(left)} of them not deleted yet`;
  return `Files: ${formatNumber(found)} (${count(bytes, 'byte')}), ${end}`;
};

const receiptText = (receipt: ReturnType<typeof receiptOf>): string => {
  const { environment, time, by, backupsEnd, found, erased, left, files, ids } = receipt;
  const amount = left > 0 ? `${erased} of ${count(found, 'contact request')}` : count(erased, 'contact request');
  const lines = [
    found === 0 ? `Found no contact request in ${environment}, ${time}` : `Erased ${amount} in ${environment}, ${time}`,
    `Searched by ${by.join(' and ')}, including spam: ${receipt.searched.join(', ')}. Not searched: ${receipt.notSearched.join(', ')}`,
  ];
  if (found > 0 && backupsEnd !== undefined) lines.push(`Backups keep them until ${backupsEnd}`);
  if (found > 0 && files) lines.push(filesLine(files));
  return [...lines, ...ids].map((line) => `${line}\n`).join('');
};

/**
 * Deletes every contact request of a person for good.
 * @throws {StaffError} if nobody agrees
 */
export const erasePerson = async (environment: StaffEnvironment, given: Person, io: CommandIo): Promise<Result> => {
  const person = await readPerson(given, io);
  const found = await findPerson(environment, searchFor(person), io);
  if (found.size > 0) {
    io.say(`Found ${count(found.size, 'contact request')}. Matching fields: ${describeTraces(found.values())}.`);
    await io.agree('Erase for good?');
  }
  const { contacts } = environment.tables;
  const files = environment.files && filesToErase(environment.files);
  const erase = async (id: string) => {
    await files?.count(id);
    return deleteIfThere(contacts, id);
  };
  const deletion = await deleteContacts([...found.keys()], erase, io);
  const waited = await files?.untilGone(deletion.deleted, io);
  const receipt = receiptOf(environment, person, found.size, deletion, waited?.files);
  return {
    json: receipt,
    text: receiptText(receipt),
    note: receipt.erased > 0 ? () => 'Other copies may exist: see docs/security.md#erase-a-person.' : undefined,
    error: deletion.failure ?? waited?.failure,
  };
};
