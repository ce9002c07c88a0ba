import * as v from 'valibot';
import { parseBody } from '../http/body.ts';
import { siteCors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { isPlainForm } from '../http/media-types.ts';
import { json } from '../http/response.ts';
import { log } from '../shared/log.ts';
import { type CountMetric, metricsVariables } from '../shared/metrics.ts';
import { jsonVariable } from '../shared/variables.ts';
import { defaultRequired, emailFieldIn, fieldNames, parseContactFields } from './contact.ts';
import { extraFieldsChoices } from './extra.ts';
import { type Forms, forms, readFormName, readThankYouUrl } from './form.ts';
import { formFields } from './form-fields.ts';
import { errorPages, thankYouPage } from './form-pages.ts';
import { keyField, plainFormKey, readIdempotencyKey } from './idempotency.ts';
import { faultMessage } from './languages/language.ts';
import { languageOf, type Sites, site, siteOf } from './site.ts';
import { caughtBy, type PassesCaptcha, type SpamDefences, spamDefences } from './spam.ts';
import type { ContactStore } from './store.ts';
import { expiryOf } from './table.ts';

/** The function's environment variables: lib/infrastructure/endpoints.ts sets them. */
export const createContactVariables = {
  ...metricsVariables,
  SITES: jsonVariable(v.array(site)),
  /** Absent: no form has settings. */
  FORMS: v.optional(jsonVariable(forms)),
  SPAM: jsonVariable(spamDefences),
  /** Days after which a contact request expires; absent: never. */
  RETENTION_DAYS: v.optional(jsonVariable(v.number())),
  EXTRA_FIELDS: v.picklist(extraFieldsChoices),
  /** Count contact requests, for the alarms on silence, on an idle fan-out and on nothing but spam. */
  COUNTS_RECEIVED: v.optional(jsonVariable(v.boolean())),
};

export type CreateContactVariables = v.InferOutput<v.ObjectSchema<typeof createContactVariables, undefined>>;

/** Fields that are never extra fields. */
const notExtra: ReadonlySet<string> = new Set([
  ...fieldNames,
  keyField,
  ...formFields.form,
  ...formFields.spam,
  ...formFields.otherServices,
]);

export interface CreateContactOptions {
  readonly store: Pick<ContactStore, 'create'>;
  readonly sites: Sites;
  readonly forms: Forms;
  readonly spam: SpamDefences;
  /** @defaultValue no captcha */
  readonly captcha?: PassesCaptcha | undefined;
  readonly extraFields: CreateContactVariables['EXTRA_FIELDS'];
  readonly retentionDays?: number | undefined;
  readonly count: CountMetric;
  readonly countsReceived?: boolean | undefined;
  readonly now: () => Date;
}

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = (options: CreateContactOptions) => {
  const { store, sites, forms, captcha, extraFields, retentionDays, count, countsReceived, now } = options;
  return httpHandler(
    async (request) => {
      const sent = await parseBody(request);
      const key = readIdempotencyKey(request, sent);
      const name = readFormName(sent);
      const form = forms.get(name.value);
      const thankYou = readThankYouUrl(sent, sites);
      const named = [emailFieldIn(sent), ...thankYou.fields, ...options.spam.traps];
      const others = [...sent].filter(([field]) => !notExtra.has(field) && !named.includes(field));
      // Logs only the number: if JSON is sent as a form, the first name is the whole body.
      if (extraFields === 'ignore' && others.length > 0)
        log('info', 'fields ignored', { requestId: request.id, count: others.length });

      const input = parseContactFields(sent, extraFields === 'keep' ? others : [], form?.required ?? defaultRequired);
      const faults = [...key.faults, ...name.faults, ...(input.success ? [] : input.faults)];
      if (!input.success || faults.length > 0) throw new HttpError(400, faults);
      const fields = { ...input.fields, ...(name.value !== undefined && { form: name.value }) };

      const createdAt = now();
      const site = siteOf(request, sites);
      const idempotencyKey = key.value ?? plainFormKey(request, fields, site?.origin, createdAt);
      const caught = caughtBy(options.spam, { request, sent, origin: site?.origin, key: key.value, now: createdAt });
      const spam = caught || !captcha || (await captcha(request, sent, idempotencyKey)) ? caught : 'captcha';
      const result = await store.create({
        fields,
        spam,
        site: site?.origin,
        createdAt,
        ...(retentionDays !== undefined && { expiresAt: expiryOf(createdAt, retentionDays) }),
        idempotencyKey,
      });
      if (result.outcome === 'conflict') {
        throw new HttpError(422, [{ field: key.name, code: 'idempotency_key_reused' }]);
      }
      if (result.outcome === 'replayed') log('info', 'sent again', { requestId: request.id });
      else {
        if (spam) log('info', 'marked as spam', { requestId: request.id, reason: spam });
        // Zero, so that a day of nothing but spam has data.
        if (countsReceived) count('ContactsReceived', { value: spam ? 0 : 1 });
      }

      const location = `${request.url}/${result.contact.id}`;
      if (isPlainForm(request)) {
        // The URL could hold personal data.
        if (thankYou.hasOther) log('warn', 'thank-you page ignored', { requestId: request.id, site: site?.origin });
        const thankYouUrl = thankYou.url ?? form?.thankYouUrl ?? site?.thankYouUrl;
        return thankYouPage(request, sites, { thankYouUrl, location });
      }
      return json(201, result.contact, {
        Location: location,
        ...(result.outcome === 'replayed' && { 'Idempotent-Replayed': 'true' }),
      });
    },
    [siteCors(sites), errorPages(sites)],
    (fault, request) => faultMessage(languageOf(request, sites), fault),
  );
};
