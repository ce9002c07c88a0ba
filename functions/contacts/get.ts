import { createDocumentClient } from '../dynamodb.ts';
import { unlessKnown } from '../http/conditional.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { idOf } from '../http/path.ts';
import { json } from '../http/response.ts';
import { eventOfNobody, nobodysId, prime } from '../prime.ts';
import { readTableName } from '../variables.ts';
import { logAccess } from './log-access.ts';
import { type ContactStore, contactStore } from './store.ts';
import { contactsTable } from './table.ts';

export interface GetContactOptions {
  readonly store: Pick<ContactStore, 'get'>;
  readonly now: () => Date;
}

/** GET /api/v1/contact/:id: interface.md, section 4.3. */
export const getContact = ({ store, now }: GetContactOptions) =>
  httpHandler(async (request) => {
    const contact = await store.get(idOf(request), now());
    if (!contact) throw new HttpError(404);
    logAccess('contact request read', request, { contactId: contact.id });
    return unlessKnown(request, json(200, contact));
  });

export const handler = getContact({
  store: contactStore(createDocumentClient(), readTableName(contactsTable)),
  now: () => new Date(),
});

export const primed = prime(handler, eventOfNobody('GET /api/v1/contact/{id}', { pathParameters: { id: nobodysId } }));
