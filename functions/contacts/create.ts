import * as v from 'valibot';
import { type BodyFields, parseBody } from '../http/body.ts';
import { cors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { json } from '../http/response.ts';
import { log } from '../shared/log.ts';
import { type CountMetric, metricsVariables } from '../shared/metrics.ts';
import { isBlank } from '../shared/text.ts';
import { jsonVariable } from '../shared/variables.ts';
import { fieldNames, parseContactFields } from './contact.ts';
import { keyField, plainFormKey, readIdempotencyKey } from './idempotency.ts';
import { sayFault } from './languages/language.ts';
import { formPages } from './pages.ts';
import { languageOf, type Sites, site, siteOf } from './site.ts';
import type { ContactStore } from './store.ts';
import { expiryOf, listVariables } from './table.ts';

/** What an environment may do with the fields that a contact request does not have. */
export const extraFields = ['keep', 'ignore'] as const;

/** What the function that creates contact requests is told: lib/infrastructure/endpoints.ts takes it from the settings. */
export const createContactVariables = {
  ...metricsVariables,
  ...listVariables,
  SITES: jsonVariable(v.array(site)),
  HONEYPOT_FIELDS: jsonVariable(v.array(v.string())),
  /** After how many days a contact request is no longer shown, and deleted; absent: never. */
  RETENTION_DAYS: v.optional(jsonVariable(v.number())),
  /** What becomes of the fields that a contact request does not have. */
  EXTRA_FIELDS: v.picklist(extraFields),
  /** Count non-spam contact requests, for the alarms on silence and on an idle fan-out. */
  COUNTS_RECEIVED: v.optional(jsonVariable(v.boolean())),
};

export type CreateContactVariables = v.InferOutput<v.ObjectSchema<typeof createContactVariables, undefined>>;

const knownNames: ReadonlySet<string> = new Set([...fieldNames, keyField]);

/** The fields that a contact request has no place of its own for. */
export const otherFields = (sent: BodyFields, honeypotFields: readonly string[]): [name: string, value: unknown][] =>
  [...sent].filter(([name]) => !honeypotFields.includes(name) && !knownNames.has(name));

const isUnfilled = (value: unknown): boolean => isBlank(value) || value === false;

/** Whether something was written into a honeypot field, which people do not see; a form may send it more than once. */
export const isFilled = (value: unknown): boolean =>
  !(Array.isArray(value) ? value.every(isUnfilled) : isUnfilled(value));

export interface CreateContactOptions {
  readonly store: Pick<ContactStore, 'create'>;
  readonly sites: Sites;
  /** Each marks what fills it as spam: forms on live pages may have an earlier one. */
  readonly honeypotFields: readonly string[];
  /** What is done with fields that a contact request has no place of its own for. */
  readonly extraFields: CreateContactVariables['EXTRA_FIELDS'];
  /** After how many days a contact request is no longer shown, and deleted. @defaultValue never */
  readonly retentionDays?: number | undefined;
  /** Over how many partitions the list is spread. */
  readonly listShards: number;
  readonly count: CountMetric;
  /** Count non-spam contact requests, for the alarms on silence and on an idle fan-out. */
  readonly countsReceived?: boolean | undefined;
  readonly now: () => Date;
}

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = (options: CreateContactOptions) => {
  const { store, sites, honeypotFields, extraFields, retentionDays, listShards, count, countsReceived, now } = options;
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
        listShards,
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
