import { expect, it } from 'vitest';
import { minimal, siteOrigin, siteWithThankYouPage, startContacts } from '../../support/contacts.ts';

const plainForm = (origin?: string) => ({
  headers: {
    Accept: 'text/html',
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(origin !== undefined && { Origin: origin }),
  },
  body: new URLSearchParams(minimal).toString(),
});

it("sends a plain form's visitor to the thank-you page of the site that it was posted from, and of no other", async () => {
  const contacts = await startContacts();
  const { status, headers } = await contacts.create(plainForm(siteWithThankYouPage.origin));
  expect([status, headers['Location']]).toStrictEqual([303, siteWithThankYouPage.thankYouUrl]);
  for (const origin of [siteOrigin, 'null', undefined]) {
    expect((await contacts.create(plainForm(origin))).status).toBe(201);
  }
});
