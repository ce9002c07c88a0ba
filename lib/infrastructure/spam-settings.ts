import * as v from 'valibot';
import { email } from '../../functions/contacts/contact.ts';
import { formFields } from '../../functions/names/service-fields.ts';
import { captchaProviders } from '../../functions/spam/captcha.ts';
import { type ContentSettings, wordsOf } from '../../functions/spam/content.ts';
import { reservedFields } from './field-settings.ts';
import { checked, flag, list, oneOf, orToken, secretName, settings, textSetting, wholeNumber } from './schemas.ts';

/** A form field that people leave empty and bots fill in. */
const trap = v.pipe(
  textSetting,
  v.regex(
    /^[A-Za-z_][\w-]{0,63}$/,
    'must start with a letter or "_", followed by at most 63 letters, digits, "_" or "-"',
  ),
  v.check(
    (name) => !reservedFields.some((field) => field.toLowerCase() === name.toLowerCase()),
    ({ input }) => `"${input}" is a field that people or scripts fill in: choose another name`,
  ),
);

/** How the providers' secret keys begin. */
const secretKeyStart = /^(?:0x|ES_|6L)[\w-]{30}/;

const captcha = settings(
  {
    provider: oneOf(captchaProviders),
    /** The name of a secret in Secrets Manager that holds the provider's secret key. */
    secret: orToken(
      v.pipe(
        secretName('the secret key'),
        v.check(
          (name) => !secretKeyStart.test(name),
          'is the secret key itself: store it in Secrets Manager, and write the name of that secret',
        ),
      ),
    ),
  },
  ', as in { provider: "turnstile", secret: "turnstile-key" }',
);

/** An address, or a domain with an `@` before it; parsed as the service stores it, with an international domain in ASCII. */
const sender = v.pipe(
  textSetting,
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const isDomain = value.startsWith('@');
    const parsed = email(isDomain ? `a${value}` : value);
    // The rule accepts a `*` in a name, but a person means a domain.
    if ('value' in parsed && !value.startsWith('*')) return parsed.value.slice(isDomain ? 1 : 0).toLowerCase();
    addIssue({ message: `"${value}" is not a sender: write an address, or a domain as in "@example.com"` });
    return NEVER;
  }),
);

/** Characters of a word or a phrase. */
const maxWord = 100;

const word = checked((value) => {
  // It would be found in every text.
  if (wordsOf(value).length === 0) return `"${value}" has no letter: write a word or a phrase`;
  return [...value].length > maxWord ? `has a phrase of more than ${maxWord} characters: shorten it` : undefined;
});

const maxWords = 200;

/** What marks by content. */
const contentEntries = {
  senders: v.optional(v.pipe(list(sender), v.nonEmpty('is empty: add a sender, or remove this setting'))),
  /** More links than this mark. */
  links: v.optional(wholeNumber(100, 0)),
  words: v.optional(
    v.pipe(
      list(word),
      v.nonEmpty('is empty: add a word, or remove this setting'),
      v.maxLength(maxWords, ({ received }) => `has ${received} words: at most ${maxWords} are possible`),
    ),
  ),
} satisfies Readonly<Record<keyof ContentSettings, unknown>>;

/** Zero bits of a proof of work: as many as the `data-proof` of docs/spam.md asks for. */
const defaultProofBits = 17;

/** The setting `spam` of an environment: the defences. */
export const spam = v.pipe(
  settings({
    traps: v.optional(list(trap), [...formFields.traps]),
    /** Marks submissions of forms without any of the traps. */
    requireTrap: v.optional(flag, false),
    proofOfWork: v.optional(oneOf(['off', 'mark']), 'off'),
    /** @defaultValue `defaultProofBits`, if proofs are required */
    proofBits: v.optional(wholeNumber(24, 8)),
    ...contentEntries,
    captcha: v.optional(captcha),
  }),
  v.forward(
    v.partialCheck(
      [['traps'], ['requireTrap']],
      ({ traps, requireTrap }) => traps.length > 0 || !requireTrap,
      'requires at least one name in traps',
    ),
    ['requireTrap'],
  ),
  v.forward(
    v.partialCheck(
      [['proofOfWork'], ['proofBits']],
      ({ proofOfWork, proofBits }) => proofOfWork === 'mark' || proofBits === undefined,
      'requires proofOfWork: "mark"',
    ),
    ['proofBits'],
  ),
  v.transform(({ proofBits = defaultProofBits, ...others }) => ({
    ...others,
    ...(others.proofOfWork === 'mark' && { proofBits }),
  })),
);

/** The settings of marks by content, as functions/spam/content.ts reads them; undefined if there are none. */
export const contentOf = (defences: v.InferOutput<typeof spam>): object | undefined => {
  const given = Object.entries(defences).filter(([name]) => Object.hasOwn(contentEntries, name));
  return given.length === 0 ? undefined : Object.fromEntries(given);
};
