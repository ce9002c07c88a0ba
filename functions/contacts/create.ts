import { createDocumentClient } from '../dynamodb.ts';
import { parseBody } from '../http/body.ts';
import { cors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { json } from '../http/response.ts';
import { log } from '../log.ts';
import { type CountMetric, embeddedMetrics } from '../metrics.ts';
import { eventOfNobody, prime } from '../prime.ts';
import { readTableName, readVariables } from '../variables.ts';
import { type FieldName, parseContactFields } from './contact.ts';
import { type CreateContactVariables, createContactVariables } from './create-variables.ts';
import { expiryOf } from './expiry.ts';
import { isFilled, otherFields } from './form.ts';
import { formPages } from './form-pages.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { sayFault } from './languages/language.ts';
import { plainFormKey } from './plain-form-key.ts';
import { languageOf, type Sites, siteOf, sitesByOrigin } from './site.ts';
import { type ContactStore, contactStore } from './store.ts';
import { contactsTable } from './table.ts';

export interface CreateContactOptions {
  readonly store: Pick<ContactStore, 'create'>;
  readonly sites: Sites;
  /** Each marks what fills it as spam: forms on live pages may have an earlier one. */
  readonly honeypotFields: readonly string[];
  /** What is done with fields that a contact request has no place of its own for. */
  readonly extraFields: CreateContactVariables['EXTRA_FIELDS'];
  /** After how many days a contact request is no longer shown, and deleted. @defaultValue never */
  readonly retentionDays?: number | undefined;
  readonly count: CountMetric;
  /** Count non-spam contact requests, for the alarms on silence and on an idle fan-out. */
  readonly countsReceived?: boolean | undefined;
  readonly now: () => Date;
}

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = (options: CreateContactOptions) => {
  const { store, sites, honeypotFields, extraFields, retentionDays, count, countsReceived, now } = options;
  return httpHandler(
    async (request) => {
      const sent = await parseBody(request);
      const key = readIdempotencyKey(request, sent);
      const others = otherFields(sent, honeypotFields);
      // Their number at most: a client that sends JSON with the type of a form puts its whole body into a "name".
      if (extraFields === 'ignore' && others.length > 0)
        log('info', 'fields ignored', { requestId: request.id, count: others.length });

      const input = parseContactFields(sent, extraFields === 'keep' ? others : []);
      const faults = [...key.faults, ...(input.success ? [] : input.faults)];
      if (!input.success || faults.length > 0) throw new HttpError(400, faults);

      const createdAt = now();
      const site = siteOf(request, sites)?.origin;
      const spam = honeypotFields.some((name) => isFilled(sent.get(name)));
      const result = await store.create({
        fields: input.fields,
        spam,
        site,
        createdAt,
        ...(retentionDays !== undefined && { expiresAt: expiryOf(createdAt, retentionDays) }),
        idempotencyKey: key.value ?? plainFormKey(request, input.fields, site, createdAt),
      });
      if (result.outcome === 'conflict') {
        throw new HttpError(422, [{ field: key.name, code: 'idempotency_key_reused' }]);
      }
      if (result.outcome === 'replayed') log('info', 'sent again', { requestId: request.id });
      else if (spam) log('info', 'marked as spam', { requestId: request.id });
      else if (countsReceived) count('ContactsReceived');
      return json(201, result.contact, {
        Location: `${request.url}/${result.contact.id}`,
        ...(result.outcome === 'replayed' && { 'Idempotent-Replayed': 'true' }),
      });
    },
    [cors(sites), formPages(sites)],
    (fault, request) => sayFault(languageOf(request, sites), fault),
  );
};

const now = () => new Date();

const variables = readVariables(createContactVariables);

const store = contactStore(createDocumentClient(), readTableName(contactsTable));

const options: CreateContactOptions = {
  store,
  sites: sitesByOrigin(variables.SITES),
  honeypotFields: variables.HONEYPOT_FIELDS,
  extraFields: variables.EXTRA_FIELDS,
  retentionDays: variables.RETENTION_DAYS,
  count: embeddedMetrics(variables.ENVIRONMENT, now),
  countsReceived: variables.COUNTS_RECEIVED,
  now,
};

export const handler = createContact(options);

export const primed = prime(
  // Counts nothing: its end may come when it is silent no more.
  createContact({ ...options, store: { create: store.prime }, countsReceived: false }),
  eventOfNobody('POST /api/v1/contact', {
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    body: JSON.stringify({
      email: 'nobody@example.com',
      phone: '000',
      company: 'None',
      message: 'None',
      firstName: 'No',
      lastName: 'Body',
    } satisfies Record<FieldName, string>),
  }),
);
