import type { ContactFields } from '../contacts/contact.ts';
import type { extraFieldsChoices } from '../contacts/extra.ts';
import { type BodyFields, parseBody } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { formFields } from '../names/words.ts';
import { type Site, type Sites, siteOf } from '../pages/sites.ts';
import { log } from '../shared/log.ts';
import type { SpamDefences } from '../spam/spam.ts';
import { parseFields } from './fields.ts';
import { type FormSettings, type Forms, readFormName, readThankYouUrl, type ThankYouUrlInput } from './form.ts';
import { keyField, plainFormKey, type RequestKey, readIdempotencyKey } from './idempotency-key.ts';

/** A valid request to store a contact request. */
export interface Submission {
  readonly request: HttpRequest;
  /** Everything that was sent. */
  readonly sent: BodyFields;
  /** What will be stored. */
  readonly fields: ContactFields;
  /** The site whose page sent it. */
  readonly site: Site | undefined;
  /** The settings of its form. */
  readonly form: FormSettings | undefined;
  readonly thankYou: ThankYouUrlInput;
  readonly key: RequestKey;
  /** Makes the same request find what the first one stored. */
  readonly idempotencyKey: string | undefined;
  readonly receivedAt: Date;
}

interface ReadOptions {
  readonly sites: Sites;
  readonly forms: Forms;
  readonly spam: Pick<SpamDefences, 'traps'>;
  readonly extraFields: (typeof extraFieldsChoices)[number];
  /** Fields on which forms without settings of their own insist. */
  readonly required: readonly string[];
  readonly now: () => Date;
}

/** Fields for the service itself. */
const forService: ReadonlySet<string> = new Set([
  keyField,
  ...formFields.form,
  ...formFields.spam,
  ...formFields.otherServices,
]);

/**
 * Reads a request.
 * @throws {HttpError} 400 with all errors, 413, 415
 */
export const readSubmission = async (
  request: HttpRequest,
  { sites, forms, spam, extraFields, required, now }: ReadOptions,
): Promise<Submission> => {
  const sent = await parseBody(request);
  const key = readIdempotencyKey(request, sent);
  const name = readFormName(sent);
  const form = forms.get(name.value);
  const thankYou = readThankYouUrl(sent, sites);

  const taken = new Set([...forService, ...thankYou.fields, ...spam.traps]);
  const input = parseFields(
    [...sent].filter(([field]) => !taken.has(field)),
    { extraFields, required: form?.required ?? required },
  );
  // Logs only the number: if JSON is sent as a form, the first name is the whole body.
  if (input.ignored > 0) log('info', 'fields ignored', { requestId: request.id, count: input.ignored });
  const errors = [...key.errors, ...name.errors, ...input.errors];
  if (errors.length > 0) throw new HttpError(400, errors);
  const fields = { ...input.fields, ...(name.value !== undefined && { form: name.value }) };

  const receivedAt = now();
  const site = siteOf(request, sites);
  const idempotencyKey = key.value ?? plainFormKey(request, fields, site?.origin, receivedAt);
  return { request, sent, fields, site, form, thankYou, key, idempotencyKey, receivedAt };
};
