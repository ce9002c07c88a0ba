import * as v from 'valibot';
import { parseJsonBody } from '../http/body.ts';
import { inboxCors } from '../http/cors.ts';
import { HttpError, type ScriptError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { type HttpRequest, idOf } from '../http/request.ts';
import { errorResponse } from '../http/response.ts';
import type { Table } from '../shared/dynamodb.ts';
import { logAccess, shown } from './by-id.ts';
import { type Change, changeContact } from './change.ts';

interface Options {
  readonly contacts: Table;
  readonly inboxOrigins?: readonly string[] | undefined;
  readonly now: () => Date;
}

/** What to send, whatever else was sent. */
const anObject = 'Send a JSON object with spam, answered or both, each true or false.';

const errorOf = ([field, value]: readonly [string, unknown]): ScriptError | undefined => {
  if (field !== 'spam' && field !== 'answered')
    return { field, code: 'unknown_field', message: 'Unknown field: correct its name, or leave it out.' };
  if (typeof value !== 'boolean') return { field, code: 'not_boolean', message: 'Use true or false.' };
  return undefined;
};

const change = v.object({ spam: v.optional(v.boolean()), answered: v.optional(v.boolean()) });

/** @throws {HttpError} 400 that names each unknown or malformed field; 413 */
const parseChange = (request: HttpRequest): Change => {
  const sent = [...parseJsonBody(request)];
  if (sent.length === 0) throw new HttpError(400, [{ field: 'body', code: 'no_change', message: anObject }]);
  const errors = sent.flatMap((field) => errorOf(field) ?? []);
  if (errors.length > 0) throw new HttpError(400, errors);
  const { spam, answered } = v.parse(change, Object.fromEntries(sent));
  // While a deployment changes the authorizer, it does not give the name yet.
  const { tokenId = '', tokenName = tokenId } = request;
  return { spam, answeredBy: answered === true ? tokenName : answered };
};

/** PATCH /api/v1/contact/:id, in environments with triage. */
export const updateContact = ({ contacts, inboxOrigins, now }: Options) =>
  httpHandler(
    async (request) => {
      const contactId = idOf(request);
      const changed = await changeContact(contacts, contactId, parseChange(request), now());
      if (changed.outcome === 'missing') throw new HttpError(404);
      logAccess('contact request changed', request, contactId);
      return shown(changed);
    },
    inboxCors(inboxOrigins),
    (error) => errorResponse(error, () => anObject),
  );
