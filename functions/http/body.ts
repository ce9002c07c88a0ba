import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import { badRequest, HttpError } from './errors.ts';
import type { Notation } from './old-pages.ts';
import type { HttpRequest } from './request.ts';

/** The fields of a body, by name, with values of any type. A repeated form field is a list. */
export type BodyFields = ReadonlyMap<string, unknown>;

/** A file, as it was sent. */
export interface SentFile {
  /** The name of the file input. */
  readonly field: string;
  /** What the visitor's device calls the file. */
  readonly name: string;
  readonly content: Buffer;
}

/** What a body holds. */
export interface Body {
  readonly fields: BodyFields;
  readonly files: readonly SentFile[];
}

/** Node's parser is quadratic in the number of blanks. A boundary has at most 70 characters (RFC 2046). */
const maxTypeLength = 255;

/** Most types have no parameter, or this one. Node need not load its parser for them. */
const plainType = /^(?<essence>[a-z]+\/[a-z-]+)(?: *; *charset=utf-8)?$/i;

/** UTF-8 and its part US-ASCII, without punctuation. */
const utf8Names: readonly string[] = ['utf8', 'usascii', 'ascii'];

const isUtf8Name = (charset: string): boolean => utf8Names.includes(charset.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));

/** The part of `MIMEType` that is used. */
interface MediaType {
  readonly essence: string;
  readonly params: { get(name: string): string | null | undefined };
}

const unsupportedType = () => {
  const message =
    'Unknown type: send application/json, application/x-www-form-urlencoded, multipart/form-data or text/plain.';
  return new HttpError(415, [{ field: 'Content-Type', code: 'unsupported_type', message }]);
};

const parseType = (contentType: string): MediaType => {
  try {
    return new MIMEType(contentType);
  } catch {
    throw unsupportedType();
  }
};

/**
 * The media type of the request's body. A body without one is a text: `sendBeacon` sends a `Blob` so.
 * @throws {HttpError} 415 if it is malformed, and for a content coding or a charset other than UTF-8
 */
const mediaTypeOf = (request: HttpRequest): MediaType => {
  const contentType = request.headers.get('content-type')?.trim() || 'text/plain';
  const coding = request.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    const message = 'Unknown coding: send the body as it is, without compression.';
    throw new HttpError(415, [{ field: 'Content-Encoding', code: 'unsupported_coding', message }]);
  }
  if (contentType.length > maxTypeLength) throw unsupportedType();
  const essence = plainType.exec(contentType)?.groups?.['essence'];
  if (essence !== undefined) return { essence: essence.toLowerCase(), params: new Map<string, string>() };
  const mediaType = parseType(contentType);
  if (!isUtf8Name(mediaType.params.get('charset') ?? 'utf-8')) {
    const message = 'Unknown charset: send the text in UTF-8, and name no other.';
    throw new HttpError(415, [{ field: 'Content-Type', code: 'unsupported_charset', message }]);
  }
  return mediaType;
};

/** The largest body, in bytes, apart from the contents of files. */
const maxBytes = 64 * 1024;

/** Far more than any form for people has. */
const maxValues = 500;

/**
 * Bounds the number of values in a body, before they are read: that takes longer than their bytes suggest.
 * @throws {HttpError} 400 if there are more
 */
const refuseTooManyValues = (count: number): void => {
  if (count > maxValues) throw badRequest({ field: 'body', code: 'too_many', limit: maxValues });
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

/** A byte order mark is not part of a text (https://encoding.spec.whatwg.org/#utf-8-decode). */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** What a page in another encoding than UTF-8 may send: the field with its encoding, and character references. */
const ofOldPage = /_charset_|&#|%26%23/;

/** What `decodeURIComponent` can read: a stray percent sign stands for itself, as in the URL Standard. */
const decodable = (text: string): string => text.replaceAll('+', ' ').replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25');

const isUtf8Encoded = (text: string): boolean => {
  const isAscii = !/%[89a-f]/i.test(text);
  if (isAscii) return true;
  try {
    decodeURIComponent(decodable(text));
    return true;
  } catch {
    return false;
  }
};

/** The text of a form. Few pages are in another encoding than UTF-8, so what reads them is loaded when it is needed. */
const formText = async (body: Buffer, notation: Notation): Promise<string> => {
  const text = body.toString();
  const isInUtf8 = isUtf8(body) && (notation === 'as they are' || isUtf8Encoded(text));
  if (isInUtf8 && !ofOldPage.test(text)) return withoutMark(text);
  const { readOldPage } = await import('./old-pages.ts');
  return readOldPage(body, notation);
};

const decodePair = (pair: string): [name: string, value: string] => {
  const end = pair.indexOf('=');
  const name = decodeURIComponent(end === -1 ? pair : pair.slice(0, end));
  return [name, end === -1 ? '' : decodeURIComponent(pair.slice(end + 1))];
};

/**
 * Reads `application/x-www-form-urlencoded`: https://url.spec.whatwg.org/#urlencoded-parsing
 * @throws {HttpError} 400 for too many pairs
 */
const parseUrlEncoded = async (body: Buffer): Promise<BodyFields> => {
  refuseTooManyValues(body.toString('latin1').split('&').filter(Boolean).length);
  const text = decodable(await formText(body, 'percent-encoded'));
  return collectFields(text.split('&').filter(Boolean).map(decodePair));
};

/** The header lines of all parts; browsers send one or two for each. */
const readHeaderLines = (body: Buffer, boundary: string): string[] =>
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
const isEmptyFileInput = ({ name, content }: SentFile) => name === '' && content.length === 0;

/** Few bodies have files, so what takes them out is loaded when it is needed. */
const withoutFiles = async (body: Buffer<ArrayBuffer>, boundary: string) => {
  const canHave = body.length > maxBytes || /filename/i.test(body.toString('latin1'));
  if (!canHave) return { text: body, contents: [] };
  const { splitFiles } = await import('./split-files.ts');
  return splitFiles(body, boundary, maxValues, maxBytes);
};

/**
 * Reads `multipart/form-data` (RFC 7578).
 * @throws {HttpError} 400 for a body that is malformed or has too many parts or headers, 413 for more than 64 KiB without the files
 */
const parseMultipart = async (sent: Buffer<ArrayBuffer>, mediaType: MediaType): Promise<Body> => {
  const boundary = mediaType.params.get('boundary') ?? '';
  const { text, contents } = await withoutFiles(sent, boundary);
  if (text.length > maxBytes) throw new HttpError(413);
  const body = Buffer.from(await formText(text, 'as they are'));
  const headerLines = readHeaderLines(body, boundary);
  refuseTooManyValues(headerLines.length);
  if (headerLines.some((line) => encodedPart.test(line))) {
    throw badRequest({ field: 'body', code: 'encoded_part' });
  }
  const parts: [name: string, value: string][] = [];
  const files: SentFile[] = [];
  for (const [field, value] of await readFormData(body, mediaType)) {
    if (typeof value === 'string') parts.push([field, value]);
    else files.push({ field, name: value.name, content: contents[files.length] ?? Buffer.alloc(0) });
  }
  // Both read the headers, and must agree on which parts are files.
  if (files.length !== contents.length) throw badRequest({ field: 'body', code: 'malformed_multipart' });
  return { fields: collectFields(parts), files: files.filter((file) => !isEmptyFileInput(file)) };
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

/** @returns undefined if it is malformed */
const parsed = (json: string): unknown => {
  refuseTooManyValues(countValues(json));
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Scripts that cut a text can cut a character in two, in a name as well. The rules of the fields mend the values. */
const membersOf = (value: object): BodyFields =>
  new Map(Object.entries(value).map(([name, member]) => [name.toWellFormed(), member]));

const parseJson = (body: Buffer): BodyFields => {
  if (!isUtf8(body)) throw badRequest({ field: 'body', code: 'malformed_text' });
  const value = parsed(withoutMark(body.toString()));
  if (value === undefined) throw badRequest({ field: 'body', code: 'malformed_json' });
  if (!isObject(value)) throw badRequest({ field: 'body', code: 'not_an_object' });
  return membersOf(value);
};

/**
 * Reads a JSON object, whatever type the request names.
 * @throws {HttpError} 413 above 64 KiB, 400 for another body
 */
export const parseJsonBody = ({ body }: HttpRequest): BodyFields => {
  if (body.length > maxBytes) throw new HttpError(413);
  return parseJson(body);
};

/** Reads `<form enctype="text/plain">`. */
const parseLines = async (body: Buffer): Promise<BodyFields> => {
  const { readLines } = await import('./plain-text.ts');
  const lines = readLines(await formText(body, 'as they are'), maxValues);
  refuseTooManyValues(lines.size);
  return lines;
};

/**
 * Reads what needs no preflight. Scripts that name no type send JSON and urlencoded fields as `text/plain` (`fetch`), or JSON as
 * urlencoded (jQuery). No browser begins a urlencoded form with a brace, and each ends `<form enctype="text/plain">` with a line
 * break.
 */
const parseSimple = async (body: Buffer, essence: 'text/plain' | 'application/x-www-form-urlencoded') => {
  const text = withoutMark(body.toString());
  const hasBrace = text.trimStart().startsWith('{');
  const value = hasBrace ? parsed(text) : undefined;
  if (isObject(value)) return membersOf(value);
  const isOfForm = essence === 'text/plain' && (hasBrace || /[\r\n]/.test(text));
  return isOfForm ? parseLines(body) : parseUrlEncoded(body);
};

const withoutFile = (fields: BodyFields): Body => ({ fields, files: [] });

/**
 * Reads a request's body.
 * @param acceptsFiles only then can a body be larger than 64 KiB: by the contents of its files
 * @throws {HttpError} 413 if it is larger, 415 for an unsupported type, 400 for a malformed body
 */
export const parseBody = async (request: HttpRequest, acceptsFiles = false): Promise<Body> => {
  const { body } = request;
  if (body.length > maxBytes && !acceptsFiles) throw new HttpError(413);
  const mediaType = mediaTypeOf(request);
  if (mediaType.essence === 'multipart/form-data') return parseMultipart(body, mediaType);
  if (body.length > maxBytes) throw new HttpError(413);
  switch (mediaType.essence) {
    case 'application/json':
      return withoutFile(parseJson(body));
    case 'application/x-www-form-urlencoded':
    case 'text/plain':
      return withoutFile(await parseSimple(body, mediaType.essence));
    default:
      throw unsupportedType();
  }
};
