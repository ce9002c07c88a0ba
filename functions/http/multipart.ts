import { isUtf8 } from 'node:buffer';
import type { MIMEType } from 'node:util';
import { badRequest, HttpError } from './errors.ts';
import { type BodyFields, collectFields } from './form-fields.ts';

/** Node's own parser adds nothing to the bundle; Node loads it at the first use, so only multipart bodies pay for it. */
const readFormData = async (body: Buffer<ArrayBuffer>, mediaType: MIMEType): Promise<FormData> => {
  try {
    return await new Response(body, { headers: { 'Content-Type': mediaType.toString() } }).formData();
  } catch {
    throw badRequest({ field: 'body', message: 'This multipart body is broken, cut short or has no boundary.' });
  }
};

/**
 * Reads the text parts of `multipart/form-data` (RFC 7578).
 * @throws {HttpError} 415 for a file part, 400 for a body that is broken or not UTF-8
 */
export const parseMultipart = async (body: Buffer<ArrayBuffer>, mediaType: MIMEType): Promise<BodyFields> => {
  const parts: [name: string, value: string][] = [];
  for (const [name, value] of await readFormData(body, mediaType)) {
    if (typeof value !== 'string') throw new HttpError(415);
    parts.push([name, value]);
  }
  if (!isUtf8(body)) throw badRequest({ field: 'body', message: 'Send the parts as UTF-8 text.' });
  return collectFields(parts);
};
