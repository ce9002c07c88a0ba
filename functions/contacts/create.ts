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
import { extraFieldsChoices } from './extra.ts';
import { formPages } from './form-pages.ts';
import { keyField, plainFormKey, readIdempotencyKey } from './idempotency.ts';
import { faultMessage } from './languages/language.ts';
import { languageOf, type Sites, site, siteOf } from './site.ts';
import type { ContactStore } from './store.ts';
import { expiryOf } from './table.ts';

/** The function's environment variables: lib/infrastructure/endpoints.ts sets them. */
export const createContactVariables = {
  ...metricsVariables,
  SITES: jsonVariable(v.array(site)),
  SPAM_TRAPS: jsonVariable(v.array(v.string())),
  /** Days after which a contact request expires; absent: never. */
  RETENTION_DAYS: v.optional(jsonVariable(v.number())),
  EXTRA_FIELDS: v.picklist(extraFieldsChoices),
  /** Count non-spam contact requests, for the alarms on silence and on an idle fan-out. */
  COUNTS_RECEIVED: v.optional(jsonVariable(v.boolean())),
};

export type CreateContactVariables = v.InferOutput<v.ObjectSchema<typeof createContactVariables, undefined>>;

const knownNames: ReadonlySet<string> = new Set([...fieldNames, keyField]);

/** The fields beyond the six of a contact request. */
export const otherFields = (sent: BodyFields, traps: readonly string[]): [name: string, value: unknown][] =>
  [...sent].filter(([name]) => !traps.includes(name) && !knownNames.has(name));

const isEmpty = (value: unknown): boolean => isBlank(value) || value === false;

/** Whether a trap, which people do not see, was filled in. A form can send it more than once. */
export const isHoneypotFilled = (value: unknown): boolean =>
  !(Array.isArray(value) ? value.every(isEmpty) : isEmpty(value));

export interface CreateContactOptions {
  readonly store: Pick<ContactStore, 'create'>;
  readonly sites: Sites;
  /** A contact request that fills one of them is spam. */
  readonly traps: readonly string[];
  readonly extraFields: CreateContactVariables['EXTRA_FIELDS'];
  /** Days after which a contact request expires. @defaultValue never */
  readonly retentionDays?: number | undefined;
  readonly count: CountMetric;
  /** Count non-spam contact requests, for the alarms on silence and on an idle fan-out. */
  readonly countsReceived?: boolean | undefined;
  readonly now: () => Date;
}

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = (options: CreateContactOptions) => {
  const { store, sites, traps, extraFields, retentionDays, count, countsReceived, now } = options;
  return httpHandler(
    async (request) => {
      const sent = await parseBody(request);
      const key = readIdempotencyKey(request, sent);
      const others = otherFields(sent, traps);
      // Logs only their number: if JSON has the type of a form, the first name is the whole body.
      if (extraFields === 'ignore' && others.length > 0)
        log('info', 'fields ignored', { requestId: request.id, count: others.length });

      const input = parseContactFields(sent, extraFields === 'keep' ? others : []);
      const faults = [...key.faults, ...(input.success ? [] : input.faults)];
      if (!input.success || faults.length > 0) throw new HttpError(400, faults);

      const createdAt = now();
      const site = siteOf(request, sites)?.origin;
      const spam = traps.some((name) => isHoneypotFilled(sent.get(name)));
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
    (fault, request) => faultMessage(languageOf(request, sites), fault),
  );
};
