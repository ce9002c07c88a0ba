import type { ContactFields } from '../contacts/contact.ts';
import { type BodyFields, parseBody } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
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
  extends Readonly<Pick<CreateContactSettings, 'extraFields' | 'required' | 'fields' | 'ownAddresses'>> {
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
 * Reads a request.
 * @throws {HttpError} 400 with all errors, 413, 415
 */
export const readSubmission = async (
  visitor: Visitor,
  { sites, forms, spam, extraFields, required, fields, ownAddresses, now }: ReadOptions,
): Promise<Submission> => {
  const { request } = visitor;
  const sent = await parseBody(request);
  const sentKey = readSentKey(request, sent);
  const name = readFormName(sent);
  const form = forms.get(name.value);
  const thankYou = readThankYouUrl(sent, sites);

  if (name.ignored !== undefined) log('warn', 'form name ignored', { requestId: request.id, field: name.ignored });
  const taken = new Set([...forService, ...thankYou.fields, ...spam.traps]);
  const input = await parseFields(
    [...sent].filter(([field]) => !taken.has(field) || field === name.ignored),
    {
      extraFields,
      required: form?.required ?? required,
      fields: { ...fields, ...form?.fields },
      ownAddresses,
    },
  );
  // Logs only the number: if JSON is sent as a form, the first name is the whole body.
  if (input.ignored > 0) log('info', 'fields ignored', { requestId: request.id, count: input.ignored });
  const errors = [...sentKey.errors, ...input.errors];
  if (errors.length > 0) throw new HttpError(400, errors);
  return {
    visitor,
    sent,
    fields: { ...input.fields, ...(name.value !== undefined && { form: name.value }) },
    hasNamedEmail: input.fields.email !== undefined && !input.isEmailByValue,
    thankYouUrl: thankYou.url ?? form?.thankYouUrl ?? visitor.likelySite?.thankYouUrl,
    ignoresThankYouUrl: thankYou.hasOther,
    sentKey,
    receivedAt: now(),
  };
};
