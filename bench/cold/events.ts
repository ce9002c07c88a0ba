import { proxyEvent } from '../../test/support/event.ts';
import { contact } from '../contact.ts';

const post = (body: string) =>
  proxyEvent('POST /api/v1/contact', {
    headers: { 'Content-Type': 'application/json', Origin: 'https://www.example.com', 'User-Agent': 'Mozilla/5.0' },
    body,
  });

/** An ordinary contact request, from a page of the site. */
export const goodPost = post(JSON.stringify(contact));

/** One without a message, which is refused. */
export const badPost = post(JSON.stringify({ ...contact, message: '' }));
