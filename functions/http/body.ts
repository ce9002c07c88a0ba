import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import { badRequest, HttpError } from './errors.ts';
import type { HttpRequest } from './request.ts';

/** The fields of a body, by name, with values of any type. A repeated form field is a list. */
export type BodyFields = ReadonlyMap<string, unknown>;

/** Node's parser is quadratic in the number of blanks. A boundary has at most 70 characters (RFC 2046). */
const maxTypeLength = 255;

/** Most types have no parameter, or this one. Node need not load its parser for them. */
const plainType = /^(?<essence>[a-z]+\/[a-z-]+)(?: *; *charset=utf-8)?$/i;

/** The part of `MIMEType` that is used. */
interface MediaType {
  readonly essence: string;
  readonly params: { get(name: string): string | null | undefined };
}

/**
 * The media type of the request's body.
 * @throws {HttpError} 415 if it is missing or malformed, and for a content coding or a charset other than UTF-8
 */
const mediaTypeOf = (request: HttpRequest): MediaType => {
  const contentType = request.headers.get('content-type');
  const coding = request.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') throw new HttpError(415);
  if (contentType === undefined || contentType.length > maxTypeLength) throw new HttpError(415);
  const essence = plainType.exec(contentType)?.groups?.['essence'];
  if (essence !== undefined) return { essence: essence.toLowerCase(), params: new Map<string, string>() };
  let mediaType: MediaType;
  try {
    mediaType = new MIMEType(contentType);
  } catch {
    throw new HttpError(415);
  }
  if ((mediaType.params.get('charset') ?? 'utf-8').toLowerCase() !== 'utf-8') throw new HttpError(415);
  return mediaType;
};

/**
 * Bounds the number of values in a body: reading a value takes longer than its bytes suggest.
 * @throws {HttpError} 400 if there are more than `max`
 */
const refuseTooManyValues = (count: number, max = 5000): void => {
  if (count > max) throw badRequest({ field: 'body', code: 'too_many', limit: max });
};

/** Collects the name-value pairs of a form. */
const collectFields = (pairs: Iterable<readonly [name: string, value: string]>): Map<string, string | string[]> => {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const earlier = fields.get(name);
    if (earlier === undefined) fields.set(name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, [earlier, value]);
  }
  return fields;
};

/** A stray percent sign stands for itself, as in the URL Standard. */
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
const parseUrlEncoded = (text: string): BodyFields => {
  const pairs = text.split('&').filter(Boolean);
  refuseTooManyValues(pairs.length);
  return collectFields(pairs.map(decodePair));
};

/** Reading a part takes ten times as long as reading a value of another body type. */
const maxHeaderLines = 500;

/** The header lines of all parts; browsers send one or two for each. */
const readHeaderLines = (body: Buffer, boundary: string | null | undefined): string[] =>
  body
    .toString('latin1')
    .split(`--${boundary}`)
    .flatMap((part) =>
      part
        .replace(/\r\n\r\n.*/s, '')
        .split('\r\n')
        .slice(1),
    );

/** Browsers encode no part (RFC 7578, section 4.7), and the content of an encoded part would not be checked. */
const encodedPart = /^content-transfer-encoding:(?!\s*(?:7bit|8bit|binary)\s*$)/i;

/** Node's own parser adds nothing to the bundle, and Node loads it only for the first multipart body. */
const readFormData = async (body: Buffer<ArrayBuffer>, mediaType: MediaType): Promise<FormData> => {
  try {
    return await new Response(body, { headers: { 'Content-Type': String(mediaType) } }).formData();
  } catch {
    throw badRequest({ field: 'body', code: 'malformed_multipart' });
  }
};

/** A file input that was left empty: https://html.spec.whatwg.org/#constructing-the-form-data-set */
const isEmptyFileInput = (value: File) => value.name === '' && value.size === 0;

/**
 * Reads the text parts of `multipart/form-data` (RFC 7578).
 * @throws {HttpError} 415 for a file part; 400 for a body that is malformed, not UTF-8 or has too many parts or headers
 */
const parseMultipart = async (body: Buffer<ArrayBuffer>, mediaType: MediaType): Promise<BodyFields> => {
  const headerLines = readHeaderLines(body, mediaType.params.get('boundary'));
  refuseTooManyValues(headerLines.length, maxHeaderLines);
  if (headerLines.some((line) => encodedPart.test(line))) {
    throw badRequest({ field: 'body', code: 'encoded_part' });
  }
  const parts: [name: string, value: string][] = [];
  for (const [name, value] of await readFormData(body, mediaType)) {
    if (typeof value === 'string') parts.push([name, value]);
    else if (!isEmptyFileInput(value)) throw new HttpError(415);
  }
  if (!isUtf8(body)) throw badRequest({ field: 'body', code: 'malformed_text' });
  return collectFields(parts);
};

/** The largest body, in bytes. */
const maxBytes = 64 * 1024;

const decodeText = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw badRequest({ field: 'body', code: 'malformed_text' });
  // A byte order mark is not part of a text (https://encoding.spec.whatwg.org/#utf-8-decode).
  return bytes.toString().replace(/^\uFEFF/, '');
};

/** An upper bound of the number of values in a JSON text: each follows an opening bracket or a comma. */
const countValues = (json: string): number => {
  let count = 0;
  let inString = false;
  let isEscaped = false;
  for (const character of json) {
    if (isEscaped) isEscaped = false;
    else if (character === '"') inString = !inString;
    else if (inString) isEscaped = character === '\\';
    else if (character === '[' || character === '{' || character === ',') count += 1;
  }
  return count;
};

const parseJson = (text: string): BodyFields => {
  refuseTooManyValues(countValues(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest({ field: 'body', code: 'malformed_json' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest({ field: 'body', code: 'not_an_object' });
  }
  return new Map(Object.entries(value));
};

/**
 * Reads the fields of a request's body.
 * @throws {HttpError} 413 above 64 KiB, 415 for an unsupported type, 400 for a malformed body
 */
export const parseBody = async (request: HttpRequest): Promise<BodyFields> => {
  if (request.body.length > maxBytes) throw new HttpError(413);
  const mediaType = mediaTypeOf(request);
  switch (mediaType.essence) {
    case 'application/json':
      return parseJson(decodeText(request.body));
    case 'application/x-www-form-urlencoded':
      return parseUrlEncoded(decodeText(request.body));
    case 'multipart/form-data':
      return parseMultipart(request.body, mediaType);
    default:
      throw new HttpError(415);
  }
};
