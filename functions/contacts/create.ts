import { createDocumentClient } from '../dynamodb.ts';
import { parseBody } from '../http/body.ts';
import { cors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { json } from '../http/response.ts';
import { log } from '../log.ts';
import { type CountMetric, countFailures, embeddedMetrics } from '../metrics.ts';
import { readTableName, readVariables } from '../variables.ts';
import { parseContactFields } from './contact.ts';
import { createContactVariables } from './create-variables.ts';
import { countUnknownFields, isFilled } from './form.ts';
import { formPages } from './form-pages.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { plainFormKey } from './plain-form-key.ts';
import { type Sites, siteOf, sitesByOrigin } from './site.ts';
import { type ContactStore, contactStore } from './store.ts';
import { contactsTable } from './table.ts';

const addDays = (time: Date, days: number) => new Date(time.getTime() + days * 24 * 60 * 60 * 1000);

export interface CreateContactOptions {
  readonly store: Pick<ContactStore, 'create'>;
  readonly sites: Sites;
  readonly honeypotField: string;
  /** After how many days a contact request is no longer shown, and deleted. @defaultValue never */
  readonly retentionDays?: number | undefined;
  readonly count: CountMetric;
  readonly now: () => Date;
}

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = (options: CreateContactOptions) => {
  const { store, sites, honeypotField, retentionDays, count, now } = options;
  return httpHandler(
    async (request) => {
      const givenKey = idempotencyKeyOf(request);
      const sent = await parseBody(request);
      const unknown = countUnknownFields(sent, honeypotField);
      if (unknown > 0) log('info', 'unknown fields ignored', { requestId: request.id, count: unknown });

      const input = parseContactFields(sent);
      if (!input.success) throw new HttpError(400, input.faults);

      const createdAt = now();
      const site = siteOf(request, sites)?.origin;
      const spam = isFilled(sent.get(honeypotField));
      const idempotencyKey = givenKey ?? plainFormKey(request, input.fields, createdAt);
      const result = await store.create({
        fields: input.fields,
        spam,
        ...(site !== undefined && { site }),
        createdAt,
        ...(retentionDays !== undefined && { expiresAt: addDays(createdAt, retentionDays) }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      if (result.outcome === 'conflict') {
        throw new HttpError(422, [
          { field: 'Idempotency-Key', message: 'This key was used before with other content: send a new key.' },
        ]);
      }
      count(result.outcome === 'created' ? 'ContactsCreated' : 'ContactsReplayed');
      if (spam && result.outcome === 'created') count('ContactsMarkedSpam');
      return json(201, result.contact, {
        Location: `${request.url}/${result.contact.id}`,
        ...(result.outcome === 'replayed' && { 'Idempotent-Replayed': 'true' }),
      });
    },
    [cors(sites), countFailures(count), formPages(sites)],
  );
};

const now = () => new Date();

const variables = readVariables(createContactVariables);

export const handler = createContact({
  store: contactStore(createDocumentClient(), readTableName(contactsTable)),
  sites: sitesByOrigin(variables.SITES),
  honeypotField: variables.HONEYPOT_FIELD,
  retentionDays: variables.RETENTION_DAYS,
  count: embeddedMetrics(variables.ENVIRONMENT, now),
  now,
});
