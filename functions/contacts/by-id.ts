import { inboxCors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { type HttpRequest, idOf } from '../http/request.ts';
import { json, noContent } from '../http/response.ts';
import { log } from '../shared/log.ts';
import type { ContactStore } from './contact-store.ts';

/** Records which token read or deleted which contact request, by ids alone (docs/security.md). */
const logAccess = (
  message: 'contact request deleted' | 'contact request read',
  { id: requestId, tokenId }: HttpRequest,
  contactId: string,
) => log('info', message, { requestId, tokenId, contactId });

interface Options<Method extends keyof ContactStore> {
  readonly store: Pick<ContactStore, Method>;
  readonly inboxOrigins?: readonly string[] | undefined;
  readonly now: () => Date;
}

/** GET /api/v1/contact/:id: interface.md, section 4.3. When the service deletes it, is said as in RFC 8594. */
export const getContact = ({ store, inboxOrigins, now }: Options<'read'>) =>
  httpHandler(async (request) => {
    const kept = await store.read(idOf(request), now());
    if (!kept) throw new HttpError(404);
    const { contact, expiresAt } = kept;
    logAccess('contact request read', request, contact.id);
    return json(200, contact, expiresAt ? { Sunset: expiresAt.toUTCString() } : {});
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
