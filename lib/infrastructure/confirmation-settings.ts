import * as v from 'valibot';
import { languages } from '../../functions/languages/languages.ts';
import { placeholderErrors } from '../../functions/notify/confirmation-text.ts';
import { maxSubject } from '../../functions/notify/wording.ts';
import { provingBits } from '../../functions/spam/defences.ts';
import { checked, flag, oneOf, settings } from './schemas.ts';

const subject = checked((value) =>
  /^(?=.*\S)[^\p{Cc}\u2028\u2029]+$/u.test(value) && value.length <= maxSubject
    ? placeholderErrors(value)
    : `must be one line of 1 to ${maxSubject} characters`,
);

const maxText = 5_000;

const text = checked((value) =>
  value.trim() !== '' && value.length <= maxText
    ? placeholderErrors(value)
    : `must have 1 to ${maxText.toLocaleString('en')} characters`,
);

type Words = v.GenericSchema<string, string>;

/** One text, or one for each of several languages. */
const byLanguage = (words: Words) =>
  v.lazy((input) =>
    typeof input === 'string'
      ? words
      : v.record(
          oneOf(Object.keys(languages)),
          words,
          'must be a text, or texts by language, as in { en: "Thank you" }',
        ),
  );

const ownWords = settings(
  { subject: v.optional(byLanguage(subject)), text: v.optional(byLanguage(text)) },
  ', or true, as in { subject: "We have your message" }',
);

/** The setting `confirmation` of an environment or a form: an email to the visitor. */
export const confirmation = v.lazy((input) => (typeof input === 'boolean' ? flag : ownWords));

export type ConfirmationSetting = v.InferOutput<typeof confirmation>;

/** What the setting asks for: `{}` stands for the built-in words. */
export const isOn = (setting: ConfirmationSetting): boolean => setting !== false;

interface Environment {
  readonly confirmation: ConfirmationSetting;
  readonly forms: Readonly<Record<string, { readonly confirmation?: ConfirmationSetting | undefined }>>;
}

/** Whether visitors of any form get confirmations. */
export const confirms = ({ confirmation: ofAll, forms }: Environment): boolean =>
  isOn(ofAll) || Object.values(forms).some(({ confirmation: own = false }) => isOn(own));

/** What confirmations need of the other settings. */
export const errorOfConfirmation = (
  environment: Environment & {
    readonly spam: { readonly proofBits?: number | undefined; readonly captcha?: unknown };
    readonly notifications?: { readonly from?: string | undefined } | undefined;
  },
): string | undefined => {
  if (!confirms(environment)) return undefined;
  const { spam, notifications } = environment;
  if (notifications?.from === undefined)
    return 'requires notifications.from, the address that sends the confirmations, as in notifications: { from: "contact@example.com", emails: ["me@example.com"] }';
  if ((spam.proofBits ?? 0) >= provingBits || spam.captcha !== undefined) return undefined;
  return `requires a defence, or robots could make your form send emails to anyone: spam: { proofOfWork: "mark" } with proofBits of ${provingBits} or more, or a captcha (docs/spam.md)`;
};
