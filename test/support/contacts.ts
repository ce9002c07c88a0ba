import * as v from 'valibot';
import { expect } from 'vitest';
import { deleteContact, getContact } from '../../functions/contacts/by-id.ts';
import { type ContactStore, contactListStore, contactStore } from '../../functions/contacts/contact-store.ts';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { listContacts } from '../../functions/contacts/list.ts';
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

export interface ContactsService {
  readonly table: string;
  readonly store: ContactStore;
  /** The metrics counted so far. */
  readonly counts: Parameters<CountMetric>[];
  readonly create: Call;
  readonly list: Call;
  readonly get: Call;
  readonly delete: Call;
  /** Posts a contact request as JSON. */
  readonly post: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>;
}

/** The four contact endpoints, on a new table unless one is given, at a time that the test sets. */
export const startContacts = async (
  now: () => Date = () => new Date('2026-03-01T12:00:00.000Z'),
  settings: Partial<Omit<CreateContactOptions, 'store' | 'sites' | 'count' | 'now'>> = {},
  given?: Table,
): Promise<ContactsService> => {
  const table = given?.table ?? (await createTable(contactsTable));
  const store = contactStore(given?.client ?? client, table);
  const counts: ContactsService['counts'] = [];
  const count: CountMetric = (...counted) => counts.push(counted);
  const { sites, forms, ...defaults } = v.parse(createContactSettings, {
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
      count,
      now,
    }),
  );
  return {
    table,
    store,
    counts,
    create,
    list: callerOf(
      'GET /api/v1/contact',
      listContacts({ store: contactListStore(given?.client ?? client, table), inboxOrigins, count, now }),
    ),
    get: callerOf('GET /api/v1/contact/{id}', getContact({ store, inboxOrigins, now })),
    delete: callerOf('DELETE /api/v1/contact/{id}', deleteContact({ store, inboxOrigins, now })),
    post: (body, headers) =>
      create({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } }),
  };
};

/** The required fields. */
export const minimal = { email: 'ada@example.com', message: 'Hello' };
