import type { ShownFiles } from '../files/show-files.ts';
import { inboxCors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { type HttpRequest, idOf } from '../http/request.ts';
import { type HttpResponse, json, noContent } from '../http/response.ts';
import { log } from '../shared/log.ts';
import type { ContactStore, KeptContact } from './contact-store.ts';

/** Records which token read, changed or deleted which contact request, by ids alone (docs/security.md). */
export const logAccess = (
  message: 'contact request changed' | 'contact request deleted' | 'contact request read',
  { id: requestId, tokenId }: HttpRequest,
  contactId: string,
) => log('info', message, { requestId, tokenId, contactId });

interface Options<Method extends keyof ContactStore> {
  readonly store: Pick<ContactStore, Method>;
  readonly inboxOrigins?: readonly string[] | undefined;
  readonly now: () => Date;
}

/** A contact request, as staff get it. When the service deletes it, is said as in RFC 8594. */
export const shown = ({ contact, expiresAt }: KeptContact): HttpResponse =>
  json(200, contact, expiresAt ? { Sunset: expiresAt.toUTCString() } : {});

/** Says what staff may do with the files. Few contact requests have some, so what asks S3 is loaded when it is needed. */
const withFiles = async (
  kept: KeptContact,
  files: ShownFiles | undefined,
  time: Date,
  signal: AbortSignal,
): Promise<KeptContact> => {
  const { contact, upload } = kept;
  if (!files || !contact.files || upload === undefined) return kept;
  const { showFiles } = await import('../files/show-files.ts');
  const shownFiles = await showFiles(contact.files, { contactId: contact.id, upload }, files, time, signal);
  return { ...kept, contact: { ...contact, files: shownFiles } };
};

interface GetOptions extends Options<'read'> {
  /** @defaultValue the environment has none */
  readonly files?: ShownFiles | undefined;
}

/** GET /api/v1/contact/:id: interface.md, section 4.3. */
export const getContact = ({ store, inboxOrigins, files, now }: GetOptions) =>
  httpHandler(async (request, signal) => {
    const time = now();
    const kept = await store.read(idOf(request), time);
    if (!kept) throw new HttpError(404);
    logAccess('contact request read', request, kept.contact.id);
    return shown(await withFiles(kept, files, time, signal));
  }, inboxCors(inboxOrigins));

/** DELETE /api/v1/contact/:id: interface.md, section 4.4. */
export const deleteContact = ({ store, inboxOrigins, now }: Options<'delete'>) =>
  httpHandler(async (request) => {
    const contactId = idOf(request);
    const deleted = await store.delete(contactId, now());
    if (!deleted) throw new HttpError(404);
    logAccess('contact request deleted', request, contactId);
    return noContent();
  }, inboxCors(inboxOrigins));
