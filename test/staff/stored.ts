import type { ContactFields } from '../../functions/contacts/contact.ts';
import { contactStore, type NewContact } from '../../functions/contacts/store.ts';
import { client } from '../support/tables.ts';
import { now, type StaffService } from './staff.ts';

/** Stores a contact request; its id. */
export const store = async (
  { tables }: Pick<StaffService, 'tables'>,
  fields: Partial<ContactFields>,
  options: Partial<NewContact> = {},
): Promise<string> => {
  const result = await contactStore(client, tables.contacts).create({
    fields: { message: 'Hello', ...fields },
    spam: false,
    createdAt: now,
    ...options,
  });
  if (result.outcome === 'conflict') throw new Error('The key was used before.');
  return result.contact.id;
};
