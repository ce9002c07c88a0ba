import { contactsTable } from '../contacts/table.ts';
import { readTableName } from '../variables.ts';

readTableName(contactsTable);

/** Tells one target of a contact request. */
export const handler = async (): Promise<never> => {
  throw new Error('Nobody is told yet.');
};
