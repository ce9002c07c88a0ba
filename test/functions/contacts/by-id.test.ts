import { expect, it } from 'vitest';
import { idIn, inboxOrigins, minimal, startContacts } from '../../support/contacts.ts';

it('says until when a contact request is kept, and nothing if that has no end', async () => {
  const sunsetWith = async (retentionDays?: number) => {
    const contacts = await startContacts(undefined, { retentionDays });
    const id = idIn(await contacts.post(minimal));
    const { headers } = await contacts.get({ pathParameters: { id }, headers: { Origin: inboxOrigins[0] } });
    expect(headers['Access-Control-Expose-Headers']).toContain('Sunset');
    return headers['Sunset'];
  };
  expect(await sunsetWith(30)).toBe('Tue, 31 Mar 2026 12:00:00 GMT');
  expect(await sunsetWith()).toBeUndefined();
});
