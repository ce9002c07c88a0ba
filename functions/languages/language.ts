import type { FieldName } from '../contacts/contact.ts';
import type { CodeWithLimit, ErrorCode, ErrorStatus, FieldError, Requirement } from '../http/errors.ts';

/**
 * New fields: other languages can have words and a label for them, and until then show the English label. Take a field out, and
 * types name the languages that still lack it.
 */
type OnlyInEnglish = never;

type OfFields<Value> = Readonly<
  Record<Exclude<FieldName, OnlyInEnglish>, Value> & Partial<Record<OnlyInEnglish, Value>>
>;

/**
 * What people call the fields of their forms, as they write it: case, accents, blanks and punctuation make no difference. The
 * first of several counts before the next.
 */
export interface Words extends OfFields<readonly string[]> {
  /** The visitor's whole name. */
  readonly name: readonly string[];
  readonly subject: readonly string[];
  /** Words beside a name that say nothing: `your-email`. */
  readonly empty: readonly string[];
  /** Words of somebody else: `friend_email`. */
  readonly others: readonly string[];
  /** Words of fields with a consent. */
  readonly consent: readonly string[];
  /** Words of fields with a part of a postal address. */
  readonly address: readonly string[];
}

/** A text with a placeholder. That for a bound, `{limit}`, can be any number. */
type With<Placeholder extends string> = `${string}{${Placeholder}}${string}`;

/** What to do about an error, by code. */
interface ErrorTexts
  extends Readonly<Record<Exclude<ErrorCode, CodeWithLimit | 'required'>, string>>,
    Readonly<Record<CodeWithLimit, With<'limit'>>> {
  readonly required: Readonly<Record<Requirement, string>>;
  readonly file_type: With<'types'>;
  readonly files_too_large: With<'limit'> & With<'sent'>;
}

/** What visitors read on pages and in errors, as plain text. */
export interface PageTexts {
  /** Labels of the fields, which `labelOf` reads, and of the body as a whole. */
  readonly labels: OfFields<string> & { readonly body: string };
  readonly errors: ErrorTexts;
  /** The link on the page after a success. */
  readonly backToSite: With<'site'>;
  /** The page after a success. */
  readonly thanks: { readonly title: string; readonly text: string };
  /** The page after an error. */
  readonly refusal: {
    readonly title: string;
    /** Introduces the errors of fields. */
    readonly correct: string;
    /** Nothing is filled in. */
    readonly fillIn: string;
    /** Errors that no field can correct, by status. */
    readonly reasons: Readonly<Record<ErrorStatus & (403 | 413 | 415 | 503), string>>;
    readonly otherReason: string;
    readonly goBack: string;
  };
}

/** What owners read in emails. */
export interface EmailTexts {
  readonly subject: With<'name'>;
  /** In place of the name, if the visitor left none. */
  readonly visitor: string;
  readonly site: string;
  readonly form: string;
  readonly campaign: string;
  readonly received: string;
  readonly released: string;
  readonly otherFields: string;
  readonly files: string;
  readonly openInInbox: string;
  readonly replyGoes: string;
  readonly replyDoesNotReach: string;
  readonly callInstead: string;
  readonly writeInstead: string;
}

/** What contact-form.js says beside a form: `{when}` is a time such as “in 5 seconds”, `{percent}` such as “42%”. */
export interface ScriptTexts
  extends Readonly<
    Record<'sending' | 'arrived' | 'mistakes' | 'captcha' | 'unreachable' | 403 | 413 | 415 | 500, string>
  > {
  readonly uploading: With<'percent'>;
  readonly 429: With<'when'>;
  readonly 503: With<'when'>;
}

/**
 * What visitors read in the email that confirms their contact request, as plain text: `{site}`, `{time}` and `{reference}` are
 * filled in, and a blank line divides paragraphs. Nothing in it is of the visitor, because anyone can type anyone's address.
 */
export interface ConfirmationTexts {
  readonly subject: string;
  readonly text: string;
}

/**
 * A language's file. Others read the rest of it: functions/names/dictionary.ts the words, and confirmations.ts, for the CDK app,
 * the confirmation.
 */
export interface Language {
  /** RFC 5646, in lower case. */
  readonly tag: string;
  /** https://html.spec.whatwg.org/#the-dir-attribute */
  readonly dir: 'ltr' | 'rtl';
  readonly pages: PageTexts;
  readonly emails: EmailTexts;
  readonly script: ScriptTexts;
}

/** Bytes as megabytes of a million bytes with one digit behind the point, so that what is too large is shown as more than the limit. */
const inMegabytes = (bytes: number, tag: string): string => (Math.ceil(bytes / 100_000) / 10).toLocaleString(tag);

/** Says what to do about an error. */
export const errorMessage = (
  { tag, pages: { errors } }: Pick<Language, 'tag' | 'pages'>,
  error: FieldError,
): string => {
  if (error.code === 'required') return errors.required[error.requirement];
  const text = errors[error.code];
  switch (error.code) {
    case 'file_type':
      return text.replace('{types}', error.types.join(', '));
    case 'files_too_large':
      return text.replace('{sent}', inMegabytes(error.sent, tag)).replace('{limit}', inMegabytes(error.limit, tag));
    default:
      return text.replace('{limit}', 'limit' in error ? `${error.limit}` : '');
  }
};
