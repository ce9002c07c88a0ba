import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import * as v from 'valibot';
import { contactsTable } from './contacts/contacts-table.ts';
import { confirm } from './notify/confirm.ts';
import { confirmationsTable, confirmedSites, confirmSettings } from './notify/confirm-settings.ts';
import { confirmationSender } from './notify/confirmation-email.ts';
import { confirmationStore } from './notify/confirmation-store.ts';
import type { TimeoutAfter } from './shared/calls.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics } from './shared/metrics.ts';
import { namedSecret } from './shared/secret.ts';
import { readTableName, readVariables } from './shared/variables.ts';

const now = () => new Date();

const timeoutAfter: TimeoutAfter = (milliseconds) => AbortSignal.timeout(milliseconds);

const settings = readVariables(confirmSettings);
const { environment, mailFrom: from, replyTo, configurationSet, ownAddresses, perHour } = settings;

const ses = new SESClient({ maxAttempts: 1 });
const secrets = new SecretsManagerClient();

export const handler = confirm({
  store: confirmationStore(createDocumentClient(), readTableName(contactsTable), readTableName(confirmationsTable)),
  send: confirmationSender(ses, { from, replyTo, configurationSet }, timeoutAfter),
  addressKey: namedSecret(secrets, settings.addressKey, v.pipe(v.string(), v.minLength(32)), timeoutAfter, now),
  ownAddresses,
  perHour,
  sites: confirmedSites(settings),
  templates: new Map(settings.templates),
  count: embeddedMetrics(environment, now),
  timeoutAfter,
  now,
});
