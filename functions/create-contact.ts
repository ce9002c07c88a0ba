import { sampleFields } from './contacts/contact.ts';
import { contactStore } from './contacts/contact-store.ts';
import { contactsTable } from './contacts/contacts-table.ts';
import { filesBucket } from './files/file.ts';
import { type CreateContactOptions, createContact } from './forms/create.ts';
import { createContactSettings } from './forms/create-settings.ts';
import { sitesByOrigin } from './pages/sites.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics } from './shared/metrics.ts';
import { prime, primingClient, primingEvent } from './shared/prime.ts';
import { readTableName, readVariables } from './shared/variables.ts';

const now = () => new Date();

const { environment, sites, forms, files, ...settings } = readVariables(createContactSettings);

const client = createDocumentClient();
const table = readTableName(contactsTable);

export const options: CreateContactOptions = {
  ...settings,
  store: contactStore(client, table),
  sites: sitesByOrigin(sites),
  forms: new Map(forms),
  ...(files && {
    files: {
      ...files,
      bucket: readTableName(filesBucket),
      table,
      timeoutAfter: (milliseconds) => AbortSignal.timeout(milliseconds),
    },
  }),
  count: embeddedMetrics(environment, now),
  now,
};

export const handler = createContact(options);

export const primed = prime(
  createContact({
    ...options,
    store: contactStore(primingClient(client), table),
    // The sample may lack what the environment requires, and a refusal would never reach the store.
    required: [],
  }),
  primingEvent('POST /api/v1/contact', {
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    body: JSON.stringify(sampleFields),
  }),
);
