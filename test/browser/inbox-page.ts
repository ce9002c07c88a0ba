import type { BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Visit } from './visitor.ts';

const service = inject('inbox');

/** Posts a contact request to the service of the inbox. @returns its id */
export const post = async (fields: object, origin?: string): Promise<string> => {
  const response = await fetch(`${service.apiUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(origin !== undefined && { Origin: origin }) },
    body: JSON.stringify({ email: 'ada@example.com', ...fields }),
  });
  return String(response.headers.get('Location')).split('/').at(-1) ?? '';
};

/** Opens the inbox as someone who has signed in. */
export const openInbox = async (
  visit: Visit,
  { token = service.staffToken, ...options }: BrowserContextOptions & { readonly token?: string } = {},
): Promise<Page> => {
  const page = await visit({ ...service, siteUrl: service.inboxUrl }, `#token=${token}`, options);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
};
