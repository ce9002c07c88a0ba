import { badRequest } from './errors.ts';
import { type BodyFields, collectFields, limitValues } from './form-fields.ts';

/** A stray percent sign stands for itself, as in the URL Standard; a sequence that is no UTF-8 is refused. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25'));
  } catch {
    throw badRequest({ field: 'body', code: 'malformed_text' });
  }
};

const decodePair = (pair: string): [name: string, value: string] => {
  const end = pair.indexOf('=');
  return end === -1 ? [decode(pair), ''] : [decode(pair.slice(0, end)), decode(pair.slice(end + 1))];
};

/**
 * Reads `application/x-www-form-urlencoded`: https://url.spec.whatwg.org/#urlencoded-parsing
 * @throws {HttpError} 400 for percent-encoded bytes that are not UTF-8, and for too many pairs
 */
export const parseUrlEncoded = (text: string): BodyFields => {
  const pairs = text.split('&').filter(Boolean);
  limitValues(pairs.length);
  return collectFields(pairs.map(decodePair));
};
