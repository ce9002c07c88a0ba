import { contactStore } from '../../../functions/contacts/store.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { Staff } from '../context.ts';

/** Before everything: at this time no contact request has expired. */
export const earliest = new Date(0);

/**
 * Deletes a contact request for good, also one that has expired.
 * @throws {StaffError} when there is none
 */
export const deleteContact = async ({ tables, stdout }: Staff, id: string): Promise<void> => {
  const wasThere = await contactStore(tables.client, tables.contacts).delete(id, earliest);
  if (!wasThere) throw new StaffError(`There is no contact request ${id}.`);
  stdout.write(`Deleted the contact request ${id} for good.\n`);
};
