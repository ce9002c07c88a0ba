import { contactsTable } from './contacts/contacts-table.ts';
import { updateContact } from './contacts/update.ts';
import { inboxSettings } from './http/cors.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { prime, primingEvent } from './shared/prime.ts';
import { nilUuid } from './shared/uuid.ts';
import { readTableName, readVariables } from './shared/variables.ts';

/** In environments with triage. */
export const handler = updateContact({
  contacts: { client: createDocumentClient(), table: readTableName(contactsTable) },
  ...readVariables(inboxSettings),
  now: () => new Date(),
});

export const primed = prime(
  handler,
  primingEvent('PATCH /api/v1/contact/{id}', { pathParameters: { id: nilUuid }, body: '{"answered":false}' }),
);
