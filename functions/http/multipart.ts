import { isUtf8 } from 'node:buffer';
import { badRequest, HttpError } from './errors.ts';
import { type BodyFields, collectFields, limitValues } from './form-fields.ts';
import type { MediaType } from './media-type.ts';

/** A part costs ten times what a value costs in a body of another type. */
const maxHeaderLines = 500;

/** The header lines of all parts: one or two a part, unless somebody means ill. */
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

/** Browsers send none (RFC 7578, section 4.7), and what it hides would not be looked at. */
const codedPart = /^content-transfer-encoding:(?!\s*(?:7bit|8bit|binary)\s*$)/i;

/** Node's own parser adds nothing to the bundle; Node loads it at the first use, so only multipart bodies pay for it. */
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
 * @throws {HttpError} 415 for a file part, 400 for a body that is broken, not UTF-8 or has too many parts or headers
 */
export const parseMultipart = async (body: Buffer<ArrayBuffer>, mediaType: MediaType): Promise<BodyFields> => {
  const headerLines = readHeaderLines(body, mediaType.params.get('boundary'));
  limitValues(headerLines.length, maxHeaderLines);
  if (headerLines.some((line) => codedPart.test(line))) {
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
