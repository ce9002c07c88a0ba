import type { FieldName } from '../contacts/contact.ts';
import type { CodeWithLimit, ErrorCode, ErrorStatus, FieldError, Requirement } from '../http/errors.ts';

/** A sentence with a placeholder for a bound. */
type WithLimit = `${string}{limit}${string}`;

/** A translation: every text that visitors see, as plain text. */
export interface Language {
  /** RFC 5646, in lower case. */
  readonly tag: string;
  /** https://html.spec.whatwg.org/#the-dir-attribute */
  readonly dir: 'ltr' | 'rtl';
  /** Labels of the fields, and of the body as a whole. */
  readonly labels: Readonly<Record<FieldName | 'body', string>>;
  /** What to do about an error, by code. */
  readonly errors: Readonly<Record<Exclude<ErrorCode, CodeWithLimit | 'required'>, string>> &
    Readonly<Record<CodeWithLimit, WithLimit>> & { readonly required: Readonly<Record<Requirement, string>> };
  /** The link on the page after a success. */
  readonly backToSite: `${string}{site}${string}`;
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

/** Says what to do about an error. */
export const errorMessage = ({ errors }: Language, error: FieldError): string => {
  if (error.code === 'required') return errors.required[error.requirement];
  return errors[error.code].replace('{limit}', 'limit' in error ? `${error.limit}` : '');
};
