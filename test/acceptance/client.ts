import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect } from 'vitest';
import { type Contact, contactList, createdContact } from './contact.ts';
import { sendDocumented } from './documented.ts';
import { type ApiResponse, type Body, nextQuery } from './http.ts';
import { target } from './target.ts';

export const contactPath = '/api/v1/contact';
export const campaignsPath = '/v1/campaigns';

/** A UUID that does not exist. */
export const absentId = '00000000-0000-4000-8000-000000000000';

export const send = (path: string, init?: RequestInit): Promise<ApiResponse> =>
  sendDocumented(target.baseUrl, path, init);

/** Sends a request with the staff token. */
export const sendAsStaff = (path: string, init: RequestInit = {}): Promise<ApiResponse> =>
  send(path, { ...init, headers: { Authentication: target.staffToken, ...init.headers } });

/** Valid fields, different each time. The message holds the mark of this run. */
export const visitor = <const Fields extends object = object>(fields?: Fields) => ({
  email: `visitor-${randomUUID()}@example.com`,
  message: `Hello! (${target.run})`,
  ...fields,
});

export const postBody = (body: Body, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> =>
  send(contactPath, { method: 'POST', body, headers });

export const post = (fields: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> =>
  postBody(JSON.stringify(fields), { 'Content-Type': 'application/json', ...headers });

/** Posts as `application/x-www-form-urlencoded`. */
export const postForm = (
  fields: Record<string, string>,
  headers?: Readonly<Record<string, string>>,
): Promise<ApiResponse> => postBody(new URLSearchParams(fields), headers);

/** Expects 201 with exactly a contact request. @returns the contact request */
export const storedIn = (response: ApiResponse): Contact => {
  expect(response.status, response.text).toBe(201);
  const contact = v.parse(createdContact, response.body);
  return contact;
};

export const create = async (fields?: object): Promise<Contact> => storedIn(await post(visitor(fields)));

export const createMany = (count: number): Promise<Contact[]> =>
  Promise.all(Array.from({ length: count }, () => create()));

export const fetchContact = (id: string): Promise<ApiResponse> => sendAsStaff(`${contactPath}/${id}`);

export const deleteContact = (id: string): Promise<ApiResponse> =>
  sendAsStaff(`${contactPath}/${id}`, { method: 'DELETE' });

/** A parsed page of the list, and the query of the next one. */
export const listPage = async (query: string): Promise<{ items: Contact[]; next: string | undefined }> => {
  const response = await sendAsStaff(contactPath + query);
  expect(response.status, response.text).toBe(200);
  return { items: v.parse(contactList, response.body), next: nextQuery(response) };
};

/** All contact requests since a given one, newest first. */
export const listSince = async ({ createdAt }: Contact, filter = ''): Promise<Contact[]> => {
  const all: Contact[] = [];
  let query: string | undefined = `?limit=200&since=${createdAt}${filter}`;
  while (query !== undefined) {
    const { items, next } = await listPage(query);
    all.push(...items);
    query = next;
  }
  return all;
};

/** Waits until the list since a contact request holds the others, which takes up to a second. */
export const listOnceItHolds = async (since: Contact, others: readonly Contact[], filter?: string) => {
  let list: Contact[] = [];
  await expect
    .poll(async () => {
      list = await listSince(since, filter);
      return list.map(({ id }) => id);
    })
    .toEqual(expect.arrayContaining(others.map(({ id }) => id)));
  return list;
};
