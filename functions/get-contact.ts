import { getContact } from './contacts/by-id.ts';
import { contactStore } from './contacts/contact-store.ts';
import { contactsTable } from './contacts/contacts-table.ts';
import { filesBucket, scanSettings } from './files/file.ts';
import { inboxSettings } from './http/cors.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { prime, primingEvent } from './shared/prime.ts';
import { nilUuid } from './shared/uuid.ts';
import { readTableName, readVariables } from './shared/variables.ts';

const { scan } = readVariables(scanSettings);

export const handler = getContact({
  store: contactStore(createDocumentClient(), readTableName(contactsTable)),
  ...readVariables(inboxSettings),
  ...(scan !== undefined && {
    files: {
      scan,
      bucket: readTableName(filesBucket),
      timeoutAfter: (milliseconds) => AbortSignal.timeout(milliseconds),
    },
  }),
  now: () => new Date(),
});

export const primed = prime(handler, primingEvent('GET /api/v1/contact/{id}', { pathParameters: { id: nilUuid } }));
