import type { ContactFields, FieldName } from '../contacts/contact.ts';
import type { extraFieldsChoices } from '../contacts/extra.ts';
import { type BodyFields, parseBody } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
import { formFields } from '../names/service-fields.ts';
import type { Sites } from '../pages/sites.ts';
import type { Visitor } from '../pages/visitor.ts';
import { log } from '../shared/log.ts';
import type { Defences } from '../spam/defences.ts';
import { parseFields } from './fields.ts';
import { type Forms, readFormName, readThankYouUrl } from './form.ts';
import { keyField, readSentKey, type SentKey } from './sent-key.ts';

/** A valid request to store a contact request. */
export interface Submission {
  readonly visitor: Visitor;
  /** Everything that was sent. */
  readonly sent: BodyFields;
  /** What will be stored. */
  readonly fields: ContactFields;
  /** The success page. @defaultValue the built-in page */
  readonly thankYouUrl: string | undefined;
  /** The form asks for a success page that is not of the environment's sites. */
  readonly ignoresThankYouUrl: boolean;
  readonly sentKey: SentKey;
  readonly receivedAt: Date;
}

interface ReadOptions {
  readonly sites: Sites;
  readonly forms: Forms;
  readonly spam: Pick<Defences['spam'], 'traps'>;
  readonly extraFields: (typeof extraFieldsChoices)[number];
  /** Fields on which forms without settings of their own insist. */
  readonly required: readonly string[];
  /** The names under which forms send the fields, if the rules cannot tell. */
  readonly fields: Readonly<Partial<Record<FieldName, string>>>;
  /** The owner's addresses, in lower case: by its value alone, none of them is a visitor's. */
  readonly ownAddresses: readonly string[];
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
  const stored = { ...input.fields, ...(name.value !== undefined && { form: name.value }) };

  const receivedAt = now();
  return {
    visitor,
    sent,
    fields: stored,
    thankYouUrl: thankYou.url ?? form?.thankYouUrl ?? visitor.likelySite?.thankYouUrl,
    ignoresThankYouUrl: thankYou.hasOther,
    sentKey,
    receivedAt,
  };
};
