import { badRequest, HttpError } from './errors.ts';
import { mediaTypeOf } from './media-type.ts';
import type { HttpRequest } from './request.ts';

/** The fields of a body, by name; what a value is, the caller has to find out. */
export type BodyFields = ReadonlyMap<string, unknown>;

/** The largest body, in bytes. */
const maxBytes = 64 * 1024;

const malformed = (message: string) => badRequest({ field: 'body', message });

const decodeText = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('Send the body as UTF-8 text.');
  }
};

const parseJson = (text: string): BodyFields => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('This is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('Send a JSON object.');
  return new Map(Object.entries(value));
};

/** A stray percent sign stands for itself, as in the URL Standard; a sequence that is no UTF-8 is refused. */
const decodeUrlEncoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25'));
  } catch {
    throw malformed('Percent-encode UTF-8 text only.');
  }
};

/** https://url.spec.whatwg.org/#urlencoded-parsing; a repeated field becomes a list. */
const parseUrlEncoded = (text: string): BodyFields => {
  const fields = new Map<string, string | string[]>();
  for (const pair of text.split('&').filter(Boolean)) {
    const [name = '', ...rest] = pair.split('=');
    addField(fields, decodeUrlEncoded(name), decodeUrlEncoded(rest.join('=')));
  }
  return fields;
};

const addField = (fields: Map<string, string | string[]>, name: string, value: string): void => {
  const earlier = fields.get(name);
  fields.set(name, earlier === undefined ? value : [earlier, value].flat());
};

/**
 * Reads the fields of a request's body.
 * @throws {HttpError} 413 above 64 KiB, 415 for a type that is not taken, 400 for one that is broken
 */
export const parseBody = (request: HttpRequest): BodyFields => {
  if (request.body.length > maxBytes) throw new HttpError(413);
  switch (mediaTypeOf(request).essence) {
    case 'application/json':
      return parseJson(decodeText(request.body));
    case 'application/x-www-form-urlencoded':
      return parseUrlEncoded(decodeText(request.body));
    default:
      throw new HttpError(415);
  }
};
