import { expect } from 'vitest';
import { openInbox, post } from './inbox-page.ts';
import { test } from './visitor.ts';

test('opens a contact request with every field', async ({ visit }) => {
  await post({ message: 'Do you ship to Canada?', firstName: 'Ada', topic: ['An order', 'A question'] });
  const page = await openInbox(visit);
  await page.getByRole('link', { name: 'Do you ship to Canada?' }).click();
  await page.getByRole('article').getByText('A question').waitFor();
  expect(await page.getByRole('article').locator('dt').allTextContents()).toEqual([
    'Message',
    'First name',
    'Email address',
    'topic',
    'Received',
    'ID',
  ]);
});
