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

/** A message of the queue of who is told, about a contact request as it is stored. */
export const queueEvent = (stored: unknown) => ({
  Records: [
    {
      messageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
      receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
      body: JSON.stringify({ eventName: 'INSERT', dynamodb: { NewImage: stored } }),
      attributes: { ApproximateReceiveCount: '1', ApproximateFirstReceiveTimestamp: '1767225600000' },
    },
  ],
});
