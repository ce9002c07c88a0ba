import { isUtf8 } from 'node:buffer';

/** How a form writes its names and values. */
export type Notation = 'percent-encoded' | 'as they are';

/**
 * What a form says of its encoding, if it has a hidden field for that, which the browser fills in.
 * https://html.spec.whatwg.org/#attr-fe-name-charset
 */
const sentEncoding = /(?:^|[&\n"])_charset_"?(?:=|\r\n\r\n)(?<label>[\w.-]{1,40})/;

/**
 * @returns undefined for an unknown encoding, and for UTF-16, in which no form is sent
 * (https://encoding.spec.whatwg.org/#get-an-output-encoding)
 */
const decoderFor = (label = '') => {
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder;
  } catch {
    return undefined;
  }
};

/** Whether UTF-8 was cut or joined amid a character: it has no more bad sequences than good ones beyond ASCII. */
const isMostlyUtf8 = (text: string): boolean => {
  let good = 0;
  let bad = 0;
  for (const character of text) {
    if (character === '\ufffd') bad += 1;
    else if (character > '\x7f') good += 1;
  }
  return good > 0 && bad <= good;
};

/** Character references such as `&#1055;`. In a percent-encoded text, their punctuation is, too. */
const references = {
  'as they are': { one: /&#(\d{3,7});/g, two: /(?:&#(?:25[6-9]|2[6-9]\d|[3-9]\d\d|\d{4,7});){2}/ },
  'percent-encoded': { one: /%26%23(\d{3,7})%3B/gi, two: /(?:%26%23(?:25[6-9]|2[6-9]\d|[3-9]\d\d|\d{4,7})%3B){2}/i },
} as const;

/** No browser writes a reference for half of a surrogate pair, or for what every encoding has. */
const characterOf = (reference: string, digits: string): string => {
  const point = Number(digits);
  const isHalf = point >= 0xd800 && point <= 0xdfff;
  return point < 0x80 || point > 0x10ffff || isHalf ? reference : String.fromCodePoint(point);
};

/** The values of hexadecimal digits, by their bytes. */
const digits = new Map([...'0123456789abcdefABCDEF'].map((digit) => [digit.charCodeAt(0), Number.parseInt(digit, 16)]));

const percent = '%'.charCodeAt(0);

/**
 * Decodes letters, of which some encodings write the second byte in ASCII. What stands below `@` stays as it is, since `%26` is
 * no separator. A loop, because a body can have 20,000.
 */
const withLetters = (percentEncoded: Buffer): Buffer => {
  const decoded = Buffer.alloc(percentEncoded.length);
  let length = 0;
  for (let at = 0; at < percentEncoded.length; at += 1) {
    let byte = percentEncoded[at] ?? 0;
    if (byte === percent) {
      const high = digits.get(percentEncoded[at + 1] ?? 0) ?? 0;
      const low = digits.get(percentEncoded[at + 2] ?? 0);
      if (high >= 4 && low !== undefined) {
        byte = 16 * high + low;
        at += 2;
      }
    }
    decoded[length] = byte;
    length += 1;
  }
  return decoded.subarray(0, length);
};

/**
 * Reads the form of a page that may be in another encoding than UTF-8. Bytes that are not UTF-8 are in the encoding that the
 * form names, else in windows-1252. What the page's encoding lacks, browsers send as character references.
 * https://html.spec.whatwg.org/#selecting-a-form-submission-encoding
 */
export const readOldPage = (body: Buffer, notation: Notation): string => {
  const bytes = notation === 'percent-encoded' ? withLetters(body) : body;
  const named = decoderFor(sentEncoding.exec(body.toString('latin1'))?.groups?.['label']);
  const namesOther = named !== undefined && named.encoding !== 'utf-8';
  const utf8 = bytes.toString();
  const isOther = !isUtf8(bytes) && (namesOther || (named === undefined && !isMostlyUtf8(utf8)));
  const text = isOther ? (named ?? new TextDecoder('windows-1252')).decode(bytes) : utf8;
  const { one, two } = references[notation];
  // Who writes several in a row in ASCII can hardly have meant them.
  const isWritten = named === undefined && !/[^\0-\x7f]/.test(text) && two.test(text);
  return namesOther || isOther || isWritten ? text.replaceAll(one, characterOf) : text;
};
