import * as v from 'valibot';
import { contactList } from './contact.ts';
import { nextQuery, sendTo } from './http.ts';
import type { Settings } from './settings.ts';

const contactsUrl = ({ baseUrl }: Settings) => `${baseUrl}/api/v1/contact`;

const asStaff = ({ staffToken }: Settings) => ({ headers: { Authentication: staffToken } });

/**
 * Checks that the target responds and accepts the token.
 * @returns the time on the target's clock
 * @throws {Error} if it does not
 */
export const greet = async (settings: Settings): Promise<Date> => {
  const { status, headers } = await sendTo(`${contactsUrl(settings)}?limit=1`, asStaff(settings)).catch((cause) => {
    throw new Error(`${settings.baseUrl} cannot be reached`, { cause });
  });
  if (status !== 200) throw new Error(`${settings.baseUrl} responded with ${status} to STAFF_TOKEN instead of 200`);
  return new Date(headers.get('date') ?? Date.now());
};

/** Whether the environment has triage: only then does its list take this parameter. */
export const hasTriage = async (settings: Settings): Promise<boolean> =>
  (await sendTo(`${contactsUrl(settings)}?limit=1&answered=true`, asStaff(settings))).status === 200;

/**
 * Deletes the contact requests of a run.
 * @param run the mark in their messages
 * @param since a time before the first
 * @returns their number
 */
export const sweep = async (settings: Settings, run: string, since: Date): Promise<number> => {
  const url = contactsUrl(settings);
  const ids: string[] = [];
  for (const spam of [false, true]) {
    let query: string | undefined = `?limit=200&spam=${spam}&since=${since.toISOString()}`;
    while (query !== undefined) {
      const page = await sendTo(url + query, asStaff(settings));
      for (const { id, message } of v.parse(contactList, page.body)) if (message?.includes(run)) ids.push(id);
      query = nextQuery(page);
    }
  }
  const count = ids.length;
  const workers = Array.from({ length: 10 }, async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      await sendTo(`${url}/${id}`, { method: 'DELETE', ...asStaff(settings) });
    }
  });
  await Promise.all(workers);
  return count;
};
