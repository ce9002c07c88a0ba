import { expect, test } from 'vitest';
import { absentId, campaignsPath, contactPath, fetchContact, post, sendAsStaff, storedIn, visitor } from './client.ts';

test('tells caches to keep no response', async () => {
  const created = await post(visitor());
  const { id } = storedIn(created);
  const responses = [
    created,
    await post({}),
    await post({}, { Accept: 'text/html' }),
    await fetchContact(id),
    await fetchContact(absentId),
    await sendAsStaff(`${contactPath}?limit=1`),
    await sendAsStaff(`${contactPath}?limit=1`, { headers: { Accept: 'text/csv' } }),
    await sendAsStaff(campaignsPath),
  ];
  for (const { headers } of responses) expect(headers.get('cache-control')).toBe('no-store');
});
