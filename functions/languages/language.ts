import type { FieldName } from '../contacts/contact.ts';
import type { CodeWithLimit, ErrorStatus, Fault, FaultCode } from '../http/errors.ts';

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
  readonly faults: Readonly<Record<Exclude<FaultCode, CodeWithLimit | 'required'>, string>> &
    Readonly<Record<CodeWithLimit, WithLimit>> & {
      readonly required: {
        readonly emailOrPhone: string;
        readonly message: string;
        readonly other: string;
        /** Nothing is filled in, and one field would do. */
        readonly oneOfSeveral: string;
      };
    };
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
export const faultMessage = ({ faults }: Language, fault: Fault): string => {
  if (fault.code !== 'required') return faults[fault.code].replace('{limit}', 'limit' in fault ? `${fault.limit}` : '');
  if (fault.isOneOfSeveral) return faults.required.oneOfSeveral;
  if (fault.alternative !== undefined) return faults.required.emailOrPhone;
  return fault.field === 'message' ? faults.required.message : faults.required.other;
};
