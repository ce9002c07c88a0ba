import type { CodeWithLimit, ErrorStatus, Fault, FaultCode } from '../../http/errors.ts';
import { type FieldName, firstField } from '../contact.ts';

/** A sentence that names a bound: the number is put in place of `{limit}`. */
export type WithLimit = `${string}{limit}${string}`;

/** A field without which a contact request is refused. */
export type RequiredField = typeof firstField | 'message';

/** All that a visitor is told, in one language: as text, not as HTML. A file of this type is a translation. */
export interface Language {
  /** By RFC 5646, in lower case. */
  readonly tag: string;
  /** Where a line begins: https://html.spec.whatwg.org/#the-dir-attribute */
  readonly dir: 'ltr' | 'rtl';
  /** What the fields of a contact request are called in a page, and the body as a whole. */
  readonly labels: Readonly<Record<FieldName | 'body', string>>;
  /** What to do about a fault, by its code; about a field that is missing, by the field. */
  readonly faults: Readonly<Record<Exclude<FaultCode, CodeWithLimit | 'required'>, string>> &
    Readonly<Record<CodeWithLimit, WithLimit>> & { readonly required: Readonly<Record<RequiredField, string>> };
  /** The page after a success. */
  readonly thanks: { readonly title: string; readonly text: string; readonly backToSite: string };
  /** The page after a mistake. */
  readonly refusal: {
    readonly title: string;
    /** Before the faults of fields. */
    readonly correct: string;
    /** What went wrong, for a visitor who cannot mend it in a field. */
    readonly reasons: Readonly<Record<ErrorStatus & (403 | 413 | 415 | 503), string>>;
    readonly otherReason: string;
    readonly goBack: string;
    readonly startAgain: string;
  };
}

/** Says what to do about a fault. */
export const sayFault = ({ faults }: Language, { field, code, limit }: Fault): string =>
  code === 'required'
    ? // Stryker disable next-line ConditionalExpression: no other field is required, which its type does not know
      faults.required[field === 'message' ? field : firstField]
    : faults[code].replace('{limit}', String(limit));
