import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect } from 'vitest';
import { deleteContact, getContact } from '../../functions/contacts/by-id.ts';
import {
  type ContactStore,
  contactListStore,
  contactStore,
  type NewContact,
} from '../../functions/contacts/contact-store.ts';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { listContacts } from '../../functions/contacts/list.ts';
import { updateContact } from '../../functions/contacts/update.ts';
import { type CreateContactOptions, createContact } from '../../functions/forms/create.ts';
import { createContactSettings } from '../../functions/forms/create-settings.ts';
import { sitesByOrigin } from '../../functions/pages/sites.ts';
import type { Table } from '../../functions/shared/dynamodb.ts';
import type { CountMetric } from '../../functions/shared/metrics.ts';
import { type ApiResponse, type Call, callerOf } from './call.ts';
import { client, createTable } from './tables.ts';

export const siteOrigin = 'https://www.example.com';

/** The origins of pages that can call the staff endpoints. */
export const inboxOrigins = ['https://inbox.example.com', 'https://replies.example.com'] as const;

/** A site with a success page. */
export const siteWithThankYouPage = {
  origin: 'https://shop.example.com',
  thankYouUrl: 'https://shop.example.com/thank-you',
  language: 'en',
} as const;

/** A site in German. */
export const germanSite = { origin: 'https://www.example.de', language: 'de' } as const;

const identified = v.object({ id: v.string() });

/** The id of the contact request that was created. */
export const idIn = ({ status, text, body }: ApiResponse): string => {
  expect(status, text).toBe(201);
  return v.parse(identified, body).id;
};

/** The ids in the response of a list. */
export const idsIn = ({ body }: ApiResponse): string[] => v.parse(v.array(identified), body).map(({ id }) => id);

type Settings = Partial<Omit<CreateContactOptions, 'store' | 'count' | 'now'>>;

const noon = () => new Date('2026-03-01T12:00:00.000Z');

/** The endpoint to which forms submit. */
export interface FormEndpoint {
  readonly create: Call;
  /** Posts a contact request as JSON. */
  readonly post: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>;
  /** The metrics counted so far. */
  readonly counts: Parameters<CountMetric>[];
}

const formEndpoint = (store: CreateContactOptions['store'], now: () => Date, settings: Settings): FormEndpoint => {
  const counts: FormEndpoint['counts'] = [];
  const {
    sites,
    forms,
    files: _,
    ...defaults
  } = v.parse(createContactSettings, {
    environment: 'test',
    sites: [{ origin: siteOrigin, language: 'en' }, siteWithThankYouPage, germanSite],
    spam: { traps: ['_gotcha'], requireTrap: false },
    extraFields: 'keep',
  });
  const create = callerOf(
    'POST /api/v1/contact',
    createContact({
      ...defaults,
      store,
      sites: sitesByOrigin(sites),
      forms: new Map(forms),
      ...settings,
      count: (...counted) => counts.push(counted),
      now,
    }),
  );
  return {
    create,
    post: (body, headers) =>
      create({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } }),
    counts,
  };
};

/** The endpoint to which forms submit, without a database: `stored` has what it stores. It knows no idempotency keys. */
export const startForms = (
  settings: Settings = {},
  now: () => Date = noon,
): FormEndpoint & { readonly stored: readonly NewContact[] } => {
  const stored: NewContact[] = [];
  const create: ContactStore['create'] = async (contact) => {
    stored.push(contact);
    const { fields, site, createdAt } = contact;
    return {
      outcome: 'created',
      contact: { id: randomUUID(), createdAt: createdAt.toISOString(), ...fields, ...(site !== undefined && { site }) },
    };
  };
  return { ...formEndpoint({ create, find: async () => undefined }, now, settings), stored };
};

export interface ContactsService extends FormEndpoint {
  readonly table: string;
  readonly store: ContactStore;
  readonly list: Call;
  readonly get: Call;
  readonly delete: Call;
  readonly update: Call;
}

/** The contact endpoints, also that of triage, on a new table unless one is given, at a time that the test sets. */
export const startContacts = async (
  now: () => Date = noon,
  settings: Settings = {},
  given?: Table,
): Promise<ContactsService> => {
  const table = given?.table ?? (await createTable(contactsTable));
  const store = contactStore(given?.client ?? client, table);
  const form = formEndpoint(store, now, settings);
  const count: CountMetric = (...counted) => form.counts.push(counted);
  return {
    ...form,
    table,
    store,
    list: callerOf(
      'GET /api/v1/contact',
      listContacts({ store: contactListStore(given?.client ?? client, table), triage: true, inboxOrigins, count, now }),
    ),
    get: callerOf('GET /api/v1/contact/{id}', getContact({ store, inboxOrigins, now })),
    delete: callerOf('DELETE /api/v1/contact/{id}', deleteContact({ store, inboxOrigins, now })),
    update: callerOf(
      'PATCH /api/v1/contact/{id}',
      updateContact({ contacts: { client: given?.client ?? client, table }, inboxOrigins, now }),
    ),
  };
};

/** The required fields. */
export const minimal = { email: 'ada@example.com', message: 'Hello' };
