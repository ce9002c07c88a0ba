import { hasLines, ruleOf } from './candidate.ts';
import type { readerOf } from './dictionary.ts';
import { machineWords, otherNumber } from './form-words.ts';

type Reader = ReturnType<typeof readerOf>;

/** One text that was sent, and the name under which it was sent. */
export type SentText = readonly [name: string, text: string];

/** Characters. Longer texts are no addresses, and a message shows what it is in fewer. */
const maxTextRead = 1000;

const textOf = ([, text]: SentText): string => text.trim().slice(0, maxTextRead);

const onlyOne = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);

const emailRule = ruleOf.get('email');
const phoneRule = ruleOf.get('phone');

/** To read an international address takes a while, and no form for people asks for as many. */
const maxAddresses = 20;

/** The texts that are addresses. */
const addressesIn = (sent: readonly SentText[]): readonly SentText[] => {
  const possible = sent.filter((each) => textOf(each).includes('@')).slice(0, maxAddresses);
  return possible.filter((each) => {
    const parsed = emailRule?.(textOf(each));
    return parsed !== undefined && 'value' in parsed;
  });
};

export const hasAddress = (sent: readonly SentText[]): boolean => addressesIn(sent).length > 0;

/** With the plus sign of a country, or from a zero on in groups, as nobody writes other numbers. */
const phoneText = /^(?:\+[\d ()./-]+|(?=.*\d[ ()/-]+\d)\(?0[\d ()/-]+)$/;

/** Whether a text is a phone number and can be nothing else. */
const isPhone = (sent: SentText): boolean => {
  const text = textOf(sent);
  const parsed = text.length <= 40 ? phoneRule?.(text) : undefined;
  if (!parsed || !('value' in parsed) || !phoneText.test(parsed.value)) return false;
  const digits = parsed.value.replaceAll(/\D/g, '').length;
  return digits >= 9 && digits <= 15 && parsed.value.split('/').length <= 2;
};

const isOfMachine = (name: string, reader: Reader): boolean =>
  reader.wordsOf(name).some((word) => machineWords.has(word));

/** Values that no visitor writes as a message: a URL, a browser's name, markup. */
export const machineText = /^(?:[a-z][a-z+.-]*:\/\/|www\.|Mozilla\/|[{[<])/i;

const withoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Whether a text has so many words or, in scripts without blanks, three letters for each. */
export const hasWords = (text: string, least: number): boolean =>
  text.split(/\s+/).length >= least || (text.match(withoutBlanks) ?? []).length >= 3 * least;

/**
 * Finds a field by its value where no name helps, if only one text can be it.
 */
export const byValueWith = (reader: Reader) => ({
  /** Never under a name of somebody else, and never the owner's. */
  email: (sent: readonly SentText[], ownAddresses: readonly string[]): SentText | undefined => {
    const addresses = addressesIn(sent.filter(([name]) => !reader.isOfOthers(name)));
    const comparable = (each: SentText) => textOf(each).toLowerCase();
    const theirs = addresses.filter((each) => !ownAddresses.includes(comparable(each)));
    // Forms ask for an address twice, to find slips.
    return new Set(theirs.map(comparable)).size === 1 ? theirs[0] : undefined;
  },
  /** Never under a name of somebody else, or of another number. */
  phone: (sent: readonly SentText[]): SentText | undefined =>
    onlyOne(
      sent.filter((each) => {
        const [name] = each;
        const isOfAnother = reader.isOfOthers(name) || isOfMachine(name, reader) || otherNumber.test(name);
        return isPhone(each) && !isOfAnother && !reader.isNoText(name);
      }),
    ),
  /** The only text with a line break, or else the only long one. */
  message: (sent: readonly SentText[]): SentText | undefined => {
    const texts = sent.filter((each) => {
      const [name] = each;
      const text = textOf(each);
      return !machineText.test(text) && !isOfMachine(name, reader) && !reader.isNoText(name) && !reader.isConsent(text);
    });
    const ofLines = texts.filter((each) => hasLines(textOf(each)));
    return ofLines.length > 0 ? onlyOne(ofLines) : onlyOne(texts.filter((each) => hasWords(textOf(each), 5)));
  },
});
