import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { fieldNames, storedContact } from '../../../functions/contacts/contact.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { block, type Entry } from '../command-line/block.ts';
import { printJson } from '../command-line/json.ts';
import { print } from '../command-line/output.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { Staff } from '../context.ts';

/** What stands beside a contact request in its item. */
const standing = v.object({
  /** When it expires, in seconds since 1970. */
  expiresAt: v.exactOptional(v.number()),
  [contactsTable.listIndex.partitionKey]: v.string(),
});

/**
 * Prints a contact request whole: for people with what the service keeps beside it, for programs as the API answers it.
 * @throws {StaffError} when there is none, it has expired, or its item cannot be read
 */
export const showContact = async (staff: Staff, id: string, json: boolean): Promise<void> => {
  const { tables, now } = staff;
  const { Item: item } = await tables.client.send(
    new GetCommand({ TableName: tables.contacts, Key: { id }, ConsistentRead: true }),
  );
  if (!item) throw new StaffError(`There is no contact request ${id}.`);
  const read = v.safeParse(v.tuple([storedContact, standing]), [item, item]);
  if (!read.success) {
    throw new StaffError(`The contact request ${id} cannot be read (docs/runbook.md, "unreadable-items").`);
  }
  const [contact, { expiresAt, [contactsTable.listIndex.partitionKey]: partition }] = read.output;
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt * 1000);
  if (expiry && expiry <= now) {
    throw new StaffError(`The contact request ${id} expired at ${expiry.toISOString()}: it is not shown any more.`);
  }
  if (json) return printJson(staff, contact);

  const { extra = {}, ...fields } = contact;
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['id', id],
    ['createdAt', fields.createdAt],
    ['releasedAt', fields.releasedAt],
    ['expires', expiry?.toISOString() ?? 'never'],
    ['spam', partition === contactsTable.listPartitions.spam ? 'yes' : 'no'],
    ['site', fields.site],
    ...fieldNames.map((name) => [name, fields[name]] as const),
  ];
  const given = entries.flatMap(([label, value]): Entry[] => (value === undefined ? [] : [[label, value]]));
  const others = Object.entries(extra).map(([name, value]): Entry => [name, [value].flat().join('\n')]);
  await print(staff, [block(given), ...(others.length > 0 ? ['extra\n', block(others, '  ')] : [])]);
};
