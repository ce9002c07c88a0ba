import { createDocumentClient } from '../dynamodb.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { idOf } from '../http/path.ts';
import { noContent } from '../http/response.ts';
import { eventOfNobody, nobodysId, prime } from '../prime.ts';
import { readTableName } from '../variables.ts';
import { logAccess } from './log-access.ts';
import { type ContactStore, contactStore } from './store.ts';
import { contactsTable } from './table.ts';

export interface DeleteContactOptions {
  readonly store: Pick<ContactStore, 'delete'>;
  readonly now: () => Date;
}

/** DELETE /api/v1/contact/:id: interface.md, section 4.4. */
export const deleteContact = ({ store, now }: DeleteContactOptions) =>
  httpHandler(async (request) => {
    const contactId = idOf(request);
    const deleted = await store.delete(contactId, now());
    if (!deleted) throw new HttpError(404);
    logAccess('contact request deleted', request, { contactId });
    return noContent();
  });

export const handler = deleteContact({
  store: contactStore(createDocumentClient(), readTableName(contactsTable)),
  now: () => new Date(),
});

export const primed = prime(
  handler,
  eventOfNobody('DELETE /api/v1/contact/{id}', { pathParameters: { id: nobodysId } }),
);
