import type { ContactFields } from '../contacts/contact.ts';
import { maxUploadBytes } from '../files/file.ts';
import type { AcceptedFiles, FilesInput } from '../files/read-files.ts';
import { type BodyFields, parseBody, type SentFile } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { formFields } from '../names/service-fields.ts';
import type { Sites } from '../pages/sites.ts';
import type { Visitor } from '../pages/visitor.ts';
import { log } from '../shared/log.ts';
import type { CreateContactSettings, Forms } from './create-settings.ts';
import { parseFields } from './fields.ts';
import { readFormName, readThankYouUrl } from './form.ts';
import { keyField, readSentKey, type SentKey } from './idempotency-key.ts';

/** A valid request to store a contact request. */
export interface Submission {
  readonly visitor: Visitor;
  /** Everything that was sent. */
  readonly sent: BodyFields;
  /** What will be stored. */
  readonly fields: ContactFields;
  /** What came as files. Absent: nothing. */
  readonly files: Omit<FilesInput, 'errors'> | undefined;
  /** The form has a field for the visitor's address, and it is filled in. */
  readonly hasNamedEmail: boolean;
  /** The success page. @defaultValue the built-in page */
  readonly thankYouUrl: string | undefined;
  /** The form asks for a success page that is not of the environment's sites. */
  readonly ignoresThankYouUrl: boolean;
  readonly sentKey: SentKey;
  readonly receivedAt: Date;
}

interface ReadOptions
  extends Readonly<Pick<CreateContactSettings, 'extraFields' | 'required' | 'fields' | 'ownAddresses' | 'files'>> {
  readonly sites: Sites;
  readonly forms: Forms;
  readonly spam: Pick<CreateContactSettings['spam'], 'traps'>;
  readonly now: () => Date;
}

/** Fields for the service itself, which are not kept. */
export const forService: ReadonlySet<string> = new Set([
  keyField,
  ...formFields.form,
  ...formFields.spam,
  ...formFields.otherServices,
]);

/**
 * Checks what came as files, which few contact requests have: what reads them is loaded when it is needed.
 * @param accepted undefined if the form accepts none
 * @throws {HttpError} 415 if the form accepts none, 413
 */
const checkFiles = async (
  { body }: HttpRequest,
  sent: readonly SentFile[],
  accepted: AcceptedFiles | undefined,
): Promise<FilesInput | undefined> => {
  const [first] = sent;
  if (!first) return undefined;
  if (!accepted) throw new HttpError(415);
  if (body.length > maxUploadBytes) {
    const { field } = first;
    throw new HttpError(413, [{ field, code: 'files_too_large', limit: maxUploadBytes, sent: body.length }]);
  }
  const { readFiles } = await import('../files/read-files.ts');
  return readFiles(sent, accepted);
};

/**
 * Reads a request.
 * @throws {HttpError} 400 with all errors, 413, 415
 */
export const readSubmission = async (
  visitor: Visitor,
  { sites, forms, spam, extraFields, required, fields, ownAddresses, files: storedFiles, now }: ReadOptions,
): Promise<Submission> => {
  const { request } = visitor;
  const { fields: sent, files: sentFiles } = await parseBody(request, storedFiles !== undefined);
  const sentKey = readSentKey(request, sent);
  const name = readFormName(sent);
  const form = forms.get(name.value);
  const thankYou = readThankYouUrl(sent, sites);
  const files = await checkFiles(request, sentFiles, storedFiles && form?.files);

  if (name.ignored !== undefined) log('warn', 'form name ignored', { requestId: request.id, field: name.ignored });
  const taken = new Set([...forService, ...thankYou.fields, ...spam.traps]);
  const input = await parseFields(
    [...sent].filter(([field]) => !taken.has(field) || field === name.ignored),
    {
      extraFields,
      required: form?.required ?? required,
      fields: { ...fields, ...form?.fields },
      ownAddresses,
      fileInputs: sentFiles.map(({ field }) => field),
    },
  );
  // Logs only the number: if JSON is sent as a form, the first name is the whole body.
  if (input.ignored > 0) log('info', 'fields ignored', { requestId: request.id, count: input.ignored });
  const errors = [...sentKey.errors, ...input.errors, ...(files?.errors ?? [])];
  if (errors.length > 0) throw new HttpError(400, errors);
  return {
    visitor,
    sent,
    fields: { ...input.fields, ...(name.value !== undefined && { form: name.value }) },
    files,
    hasNamedEmail: input.fields.email !== undefined && !input.isEmailByValue,
    thankYouUrl: thankYou.url ?? form?.thankYouUrl ?? visitor.likelySite?.thankYouUrl,
    ignoresThankYouUrl: thankYou.hasOther,
    sentKey,
    receivedAt: now(),
  };
};
