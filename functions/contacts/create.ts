import * as v from 'valibot';
import { createDocumentClient } from '../dynamodb.ts';
import { originList, readEnvironment, tableName } from '../environment.ts';
import { parseBody } from '../http/body.ts';
import { cors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { json } from '../http/response.ts';
import { log } from '../log.ts';
import { parseContactFields } from './contact.ts';
import { isFilled, unknownFields } from './form.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { type ContactStore, contactStore } from './store.ts';

export interface CreateContactOptions {
  readonly store: Pick<ContactStore, 'create'>;
  readonly siteOrigins: ReadonlySet<string>;
  readonly honeypotField: string;
  readonly now: () => Date;
}

/** POST /api/v1/contact: interface.md, section 4.1. */
export const createContact = ({ store, siteOrigins, honeypotField, now }: CreateContactOptions) =>
  httpHandler(
    async (request) => {
      const idempotencyKey = idempotencyKeyOf(request);
      const sent = parseBody(request);
      const unknown = unknownFields(sent, honeypotField);
      if (unknown.length > 0) log('info', 'unknown fields ignored', { requestId: request.id, fields: unknown });

      const input = parseContactFields(sent);
      if (!input.success) throw new HttpError(400, input.faults);

      const result = await store.create({
        fields: input.fields,
        spam: isFilled(sent.get(honeypotField)),
        createdAt: now(),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      if (result.outcome === 'conflict') {
        throw new HttpError(422, [
          { field: 'Idempotency-Key', message: 'This key was used before with other content: send a new key.' },
        ]);
      }
      return json(201, result.contact, {
        Location: `${request.url}/${result.contact.id}`,
        ...(result.outcome === 'replayed' && { 'Idempotent-Replayed': 'true' }),
      });
    },
    [cors(siteOrigins)],
  );

const environment = readEnvironment({
  CONTACTS_TABLE: tableName,
  SITE_ORIGINS: originList,
  HONEYPOT_FIELD: v.string(),
});

export const handler = createContact({
  store: contactStore(createDocumentClient(), environment.CONTACTS_TABLE),
  siteOrigins: environment.SITE_ORIGINS,
  honeypotField: environment.HONEYPOT_FIELD,
  now: () => new Date(),
});
