import { isUtf8 } from 'node:buffer';
import { badRequest, HttpError } from './errors.ts';
import { type BodyFields, limitValues } from './form-fields.ts';
import { mediaTypeOf } from './media-type.ts';
import { parseMultipart } from './multipart.ts';
import type { HttpRequest } from './request.ts';
import { parseUrlEncoded } from './urlencoded.ts';

/** The largest body, in bytes. */
const maxBytes = 64 * 1024;

const decodeText = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw badRequest({ field: 'body', code: 'malformed_text' });
  // A byte order mark is no part of a text (https://encoding.spec.whatwg.org/#utf-8-decode).
  return bytes.toString().replace(/^\uFEFF/, '');
};

/** How many values a JSON text can hold at most: one stands behind each opening bracket and each comma. */
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
  limitValues(countValues(text));
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
 * @throws {HttpError} 413 above 64 KiB, 415 for a type that is not taken, 400 for one that is broken
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
