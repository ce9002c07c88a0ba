import { contactListStore } from './contacts/contact-store.ts';
import { contactsTable } from './contacts/contacts-table.ts';
import { listContacts } from './contacts/list.ts';
import { listSettings } from './contacts/selection.ts';
import { inboxSettings } from './http/cors.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics, metricsSettings } from './shared/metrics.ts';
import { prime, primingEvent } from './shared/prime.ts';
import { readTableName, readVariables } from './shared/variables.ts';

const now = () => new Date();

const { environment } = readVariables(metricsSettings);
const { inboxOrigins } = readVariables(inboxSettings);

export const handler = listContacts({
  store: contactListStore(createDocumentClient(), readTableName(contactsTable)),
  ...readVariables(listSettings),
  inboxOrigins,
  count: embeddedMetrics(environment, now),
  now,
});

export const primed = prime(
  handler,
  primingEvent('GET /api/v1/contact', { multiValueQueryStringParameters: { limit: ['1'] } }),
);
