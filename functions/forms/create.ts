import type { SpamReason } from '../contacts/contact.ts';
import type { ContactStore, StoredContact } from '../contacts/contact-store.ts';
import { expiryOf } from '../contacts/contacts-table.ts';
import { siteCors } from '../http/cors.ts';
import { HttpError, isOfBody } from '../http/errors.ts';
import { type HttpMiddleware, httpHandler } from '../http/handler.ts';
import { isPlainForm } from '../http/media-types.ts';
import { type HttpResponse, json } from '../http/response.ts';
import { errorMessage } from '../languages/language.ts';
import { errorPages, thankYouPage } from '../pages/pages.ts';
import { languageOf, type Sites } from '../pages/sites.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { caughtBy, type PassesCaptcha } from '../spam/spam.ts';
import type { CreateContactSettings } from './create-settings.ts';
import type { Forms } from './form.ts';
import { readSubmission, type Submission } from './submission.ts';

export interface CreateContactOptions extends Readonly<Omit<CreateContactSettings, 'environment' | 'sites' | 'forms'>> {
  readonly store: Pick<ContactStore, 'create'>;
  readonly sites: Sites;
  readonly forms: Forms;
  /** @defaultValue no captcha */
  readonly captcha?: PassesCaptcha | undefined;
  readonly count: CountMetric;
  readonly now: () => Date;
}

/** Decides whether it is spam, by the defences in their order. */
const judge = async (
  { request, sent, site, key, idempotencyKey, receivedAt }: Submission,
  { spam, captcha }: CreateContactOptions,
): Promise<SpamReason | false> => {
  const reason = caughtBy(spam, { request, sent, origin: site?.origin, key: key.value, now: receivedAt });
  if (reason || !captcha) return reason;
  return (await captcha(request, sent, idempotencyKey)) ? false : 'captcha';
};

/** @throws {HttpError} 422 if the key was used before with other content */
const storeSubmission = async (
  { request, fields, site, key, idempotencyKey, receivedAt }: Submission,
  spam: SpamReason | false,
  { store, retentionDays, count, countsReceived }: CreateContactOptions,
): Promise<StoredContact> => {
  const result = await store.create({
    fields,
    spam,
    site: site?.origin,
    createdAt: receivedAt,
    ...(retentionDays !== undefined && { expiresAt: expiryOf(receivedAt, retentionDays) }),
    idempotencyKey,
  });
  if (result.outcome === 'conflict') throw new HttpError(422, [{ field: key.name, code: 'idempotency_key_reused' }]);
  if (result.outcome === 'replayed') {
    log('info', 'sent again', { requestId: request.id });
    return result;
  }
  if (spam) log('info', 'marked as spam', { requestId: request.id, reason: spam });
  // Zero, so that a day of nothing but spam has data.
  if (countsReceived) count('ContactsReceived', { value: spam ? 0 : 1 });
  return result;
};

/** The same whether it is spam or not: nobody may learn that a defence caught it. */
const respond = (
  { request, site, form, thankYou }: Submission,
  { outcome, contact }: StoredContact,
  { sites }: CreateContactOptions,
): HttpResponse => {
  const location = `${request.url}/${contact.id}`;
  if (!isPlainForm(request)) {
    const replayed = outcome === 'replayed' ? { 'Idempotent-Replayed': 'true' } : {};
    // Scripts for other services look for `success`.
    return json(201, { ...contact, success: true }, { Location: location, ...replayed });
  }
  // The URL could hold personal data.
  if (thankYou.hasOther) log('warn', 'success page ignored', { requestId: request.id, site: site?.origin });
  const thankYouUrl = thankYou.url ?? form?.thankYouUrl ?? site?.thankYouUrl;
  return thankYouPage(request, sites, { thankYouUrl, location });
};

/** Codes, and of the six fields the names. Names that the form chose could be personal data, and so could values. */
const loggable = (error: HttpError['details'][number]): string => {
  if ('contactField' in error && error.contactField !== undefined) return `${error.contactField} ${error.code}`;
  return `${isOfBody(error) ? 'body' : 'other field'} ${error.code}`;
};

/** The owner of a form cannot see what its visitors see: docs/troubleshooting.md#nothing-arrives. */
const logErrors: HttpMiddleware = {
  onError: ({ error, event }) => {
    if (!(error instanceof HttpError) || error.details.length === 0) return;
    const errors = [...new Set(error.details.map(loggable))];
    log('info', 'contact request refused', { requestId: event.id, errors });
  },
};

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = (options: CreateContactOptions) =>
  httpHandler(
    async (request) => {
      const submission = await readSubmission(request, options);
      const spam = await judge(submission, options);
      return respond(submission, await storeSubmission(submission, spam, options), options);
    },
    [siteCors(options.sites), errorPages(options.sites), logErrors],
    (error, request) => errorMessage(languageOf(request, options.sites), error),
  );
