import * as v from 'valibot';
import { type Contact, contactList, createdContact } from '../acceptance/contact.ts';
import { nextQuery, sendTo } from '../acceptance/http.ts';

/** Posts a contact request as a script does; one with the honeypot filled is spam. */
export const postContact = async (baseUrl: string, fields: Readonly<Record<string, string>>): Promise<Contact> => {
  const response = await sendTo(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (response.status !== 201) throw new Error(`A contact request got ${response.status}: ${response.text}`);
  return v.parse(createdContact, response.body);
};

/** Posts a contact request as a plain form does, from a page of the origin. */
export const postForm = (baseUrl: string, fields: Readonly<Record<string, string>>, origin = 'null') =>
  sendTo(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { Accept: 'text/html', Origin: origin },
    body: new URLSearchParams(fields),
  });

/** Every contact request that is stored, spam too, by following the pages of the list. */
export const listContacts = async (baseUrl: string, token: string): Promise<Contact[]> => {
  const all: Contact[] = [];
  for (const spam of [false, true]) {
    let query: string | undefined = `?limit=10&spam=${spam}`;
    while (query !== undefined) {
      const page = await sendTo(`${baseUrl}/api/v1/contact${query}`, { headers: { Authentication: token } });
      all.push(...v.parse(contactList, page.body));
      query = nextQuery(page);
    }
  }
  return all;
};
