import { contactStore } from '../../../functions/contacts/store.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StaffTables } from '../tables/tables.ts';

/** Before everything: at this time no contact request has expired. */
export const earliest = new Date(0);

/**
 * Deletes a contact request for good, also one that has expired.
 * @throws {StaffError} when there is none
 */
export const deleteContact = async (
  { client, contacts }: Pick<StaffTables, 'client' | 'contacts'>,
  id: string,
): Promise<void> => {
  const wasThere = await contactStore(client, contacts).delete(id, earliest);
  if (!wasThere) throw new StaffError(`There is no contact request ${id}.`);
};
