import {
  type ContactStore,
  type CreateResult,
  type NewContact,
  newIdOf,
  type StoredContact,
} from '../contacts/contact-store.ts';
import { expiryOf } from '../contacts/contacts-table.ts';
import type { ContactFile } from '../files/file.ts';
import type { FileStore } from '../files/store-files.ts';
import { siteCors } from '../http/cors.ts';
import { type ErrorDetail, HttpError, isOfBody } from '../http/errors.ts';
import { type HttpMiddleware, httpHandler, unavailable } from '../http/handler.ts';
import { errorResponse, type HttpResponse, json } from '../http/response.ts';
import { errorMessage } from '../languages/language.ts';
import { loadLanguage } from '../languages/load.ts';
import { errorPage, thankYouPage } from '../pages/pages.ts';
import type { Sites } from '../pages/sites.ts';
import { type Visitor, visitorOf } from '../pages/visitor.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { createJudge, type Defences, type Verdict } from '../spam/defences.ts';
import type { CreateContactSettings, Forms } from './create-settings.ts';
import { retryKeyOf, storageKeyOf } from './idempotency-key.ts';
import { readSubmission, type Submission } from './submission.ts';

export interface CreateContactOptions
  extends Readonly<Omit<CreateContactSettings, 'environment' | 'sites' | 'forms' | 'files'>> {
  readonly store: Pick<ContactStore, 'create' | 'find'>;
  /** @defaultValue no form accepts files */
  readonly files?: FileStore | undefined;
  readonly sites: Sites;
  readonly forms: Forms;
  readonly captcha?: Defences['captcha'];
  readonly count: CountMetric;
  readonly now: () => Date;
}

const notCaught: Verdict = { spam: false, isProved: false };

const newContactOf = (
  submission: Submission,
  { spam, isProved }: Verdict,
  options: Pick<CreateContactOptions, 'forms' | 'retentionDays' | 'confirmation'>,
): NewContact => {
  const { visitor, fields, files, receivedAt, hasNamedEmail } = submission;
  const form = options.forms.get(fields.form);
  const retentionDays = form?.retentionDays ?? options.retentionDays;
  return {
    fields,
    spam,
    site: visitor.site?.origin,
    createdAt: receivedAt,
    ...(retentionDays !== undefined && { expiresAt: expiryOf(receivedAt, retentionDays) }),
    storageKey: storageKeyOf(submission, spam),
    files: files?.files,
    filesHash: files?.hash,
    getsConfirmation: (form?.confirmation ?? options.confirmation) && isProved && hasNamedEmail,
  };
};

/** What a log may hold of files. */
const sumOf = (files: readonly ContactFile[]) => ({
  count: files.length,
  bytes: files.reduce((sum, { size }) => sum + size, 0),
});

/**
 * Stores the files and then the contact request, unless an earlier one has the same key: so a repeat counts and stores nothing. What
 * stores files is loaded when it is needed.
 * @throws {HttpError} 413 if the environment stores no more files today, 503
 */
const createWithFiles = async (
  contact: NewContact,
  { visitor: { request }, files }: Submission,
  { store, files: fileStore, count }: CreateContactOptions,
  signal: AbortSignal,
): Promise<CreateResult> => {
  if (!files || !fileStore) return store.create(contact);
  const earlier = await store.find(contact);
  if (earlier) return earlier;
  const id = newIdOf(contact);
  const isCaught = contact.spam !== false;
  const { storeFiles } = await import('../files/store-files.ts');
  const stored = { contactId: id, isCaught, files: files.files };
  const result = await storeFiles(stored, fileStore, contact.createdAt, signal);
  const { outcome } = result;
  const reason = outcome === 'failed' ? result.reason : undefined;
  log(reason === undefined ? 'info' : 'error', `files ${outcome}`, {
    requestId: request.id,
    reason,
    ...sumOf(files.files),
  });
  if (outcome === 'failed') throw unavailable();
  if (outcome === 'refused') {
    // Raising the limit helps nobody whom a defence caught.
    if (!isCaught) count('FilesRefused');
    throw new HttpError(413, [{ field: files.field, code: 'daily_files_limit' }]);
  }
  return store.create({ ...contact, id, upload: result.upload });
};

/** @throws {HttpError} 422 if the key was used before with other content */
const storeSubmission = async (
  submission: Submission,
  verdict: Verdict,
  options: CreateContactOptions,
  signal: AbortSignal,
): Promise<StoredContact> => {
  const { spam } = verdict;
  const { count, countsReceived } = options;
  const { visitor, sentKey } = submission;
  const { request } = visitor;
  const result = await createWithFiles(newContactOf(submission, verdict, options), submission, options, signal);
  if (result.outcome === 'conflict')
    throw new HttpError(422, [{ field: sentKey.name, code: 'idempotency_key_reused' }]);
  if (result.outcome === 'replayed') {
    log('info', 'sent again', { requestId: request.id });
    return result;
  }
  if (spam) log('info', 'marked as spam', { requestId: request.id, reason: spam });
  // Spam counts as zero: the alarm on nothing but spam needs data of a day that had only spam.
  if (countsReceived) count('ContactsReceived', { value: spam ? 0 : 1 });
  return result;
};

/** The same whether it is spam or not: nobody may learn that a defence caught it. So pages have no id. */
const respond = async (
  { visitor, thankYouUrl, ignoresThankYouUrl }: Submission,
  { outcome, contact }: StoredContact,
): Promise<HttpResponse> => {
  const { request, site, wantsPage } = visitor;
  if (!wantsPage) {
    const replayed = outcome === 'replayed' ? { 'Idempotent-Replayed': 'true' } : {};
    // Scripts for other services look for `success`.
    return json(201, { ...contact, success: true }, { Location: `${request.url}/${contact.id}`, ...replayed });
  }
  // The URL could hold personal data.
  if (ignoresThankYouUrl) log('warn', 'success page ignored', { requestId: request.id, site: site?.origin });
  return thankYouPage(visitor, thankYouUrl);
};

const respondToError = async (error: HttpError, { wantsPage, languages, site }: Visitor): Promise<HttpResponse> => {
  const language = await loadLanguage(languages);
  if (wantsPage) return errorPage(error, language, site);
  return errorResponse(error, (each) => errorMessage(language, each));
};

/**
 * Codes, and the names of headers and of the fields of a contact request. Names that the form chose could be personal data, and so
 * could values.
 */
const errorForLog = (error: ErrorDetail): string => {
  if ('message' in error) return `${error.field} ${error.code}`;
  if (error.contactField !== undefined) return `${error.contactField} ${error.code}`;
  return `${isOfBody(error) ? 'body' : 'other field'} ${error.code}`;
};

/** The owner of a form cannot see what its visitors see: docs/troubleshooting.md#nothing-arrives. */
const logErrors: HttpMiddleware = {
  onError: ({ error, event }) => {
    if (!(error instanceof HttpError) || error.details.length === 0) return;
    const errors = [...new Set(error.details.map(errorForLog))];
    log('info', 'contact request refused', { requestId: event.id, errors });
  },
};

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = (options: CreateContactOptions) => {
  const judge = createJudge(options);
  return httpHandler(
    async (request, signal) => {
      const visitor = visitorOf(request, options.sites);
      const submission = await readSubmission(visitor, options);
      const isStored = async () =>
        (await options.store.find(newContactOf(submission, notCaught, options))) !== undefined;
      const verdict = await judge({ ...submission, retryKey: retryKeyOf(submission), isStored });
      return respond(submission, await storeSubmission(submission, verdict, options, signal));
    },
    [siteCors(options.sites), logErrors],
    (error, request) => respondToError(error, visitorOf(request, options.sites)),
  );
};
