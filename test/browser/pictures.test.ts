import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Contact, ContactFields } from '../../functions/contacts/contact.ts';
import { contactStore } from '../../functions/contacts/contact-store.ts';
import { confirmations } from '../../functions/languages/confirmations.ts';
import { english } from '../../functions/languages/load.ts';
import { confirmationEmail } from '../../functions/notify/confirmation-text.ts';
import { formatTime } from '../../functions/notify/format-time.ts';
import { emailMessageOf } from '../support/email-message.ts';
import { holdRequests, storedBy } from './form-page.ts';
import { test as base, openRow } from './inbox-page.ts';

/** Not the one of the inbox, whose list holds only what has a fixed date. */
const service = inject('service');

const imageOf = (file: string) => join(import.meta.dirname, '..', '..', 'docs', 'images', file);

const look = {
  colorScheme: 'light',
  locale: 'en-GB',
  timezoneId: 'Europe/London',
  deviceScaleFactor: 1.25,
} as const satisfies BrowserContextOptions;

const panel = { width: 340, height: 700 };

const phone = { width: 390, height: 844 };

const question = 'Hello, my order has not arrived yet. Could you find out where it is?';

const olderOnes: readonly ContactFields[] = [
  {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    message: 'Do you ship to Canada, and what does it cost?',
  },
  {
    firstName: 'Alan',
    lastName: 'Turing',
    email: 'alan@example.com',
    message: 'Thank you for the quick response!',
    form: 'feedback',
  },
  {
    firstName: 'Katherine',
    lastName: 'Johnson',
    phone: '+1 555 0100',
    message: 'Please call me about the figures, any day after four.',
  },
  {
    firstName: 'Charles',
    lastName: 'Babbage',
    email: 'charles@example.com',
    company: 'Analytical Engines',
    message: 'Is there a discount for large machines?',
  },
  {
    firstName: 'Mary',
    lastName: 'Somerville',
    email: 'mary@example.com',
    message: 'The link to the catalogue does not work.',
  },
  {
    firstName: 'Annie',
    lastName: 'Easley',
    email: 'annie@example.com',
    message: 'Do you have the manual in French, too?',
  },
  {
    firstName: 'Edsger',
    lastName: 'Dijkstra',
    email: 'edsger@example.com',
    message: 'What is the shortest way from the station to you?',
  },
];

/** Those further down, which only the chart shows. */
const earlierOnes = Array.from({ length: 6 }, () => olderOnes)
  .flat()
  .map((fields): ContactFields => ({ ...fields, message: 'I would like to know more about it.' }));

/** The last of the times below. */
const now = new Date(Date.UTC(2026, 10, 23, 15));

/** From one to the next, in hours: then, as many as the chart shows. */
const hoursBefore = (index: number) => 0.5 + (index < 8 ? 5 * index : 35 + 13 * (index - 7) + (index % 5) * 4);

const test = base.extend(
  'storeAll',
  ({ contacts: { client, table } }) =>
    /** Stores the newest one first. Times and ids are those of every run, so that a picture changes only with its page. */
    async (all: readonly ContactFields[]): Promise<readonly Contact[]> => {
      const stored: Contact[] = [];
      for (const [index, fields] of all.entries()) {
        const result = await contactStore(client, table).create({
          fields: { form: 'contact', ...fields },
          site: 'https://www.example.com',
          spam: index % 9 === 8 ? 'trap' : false,
          createdAt: new Date(now.getTime() - hoursBefore(index) * 3_600_000 - 4 * index * 60_000),
          storageKey: String(index),
        });
        if (result.outcome !== 'conflict') stored.push(result.contact);
      }
      return stored;
    },
);

/** Sends the form of the example site. @returns a picture of the moment, and what arrived */
const sendForm = async (page: Page) => {
  // What the example says about itself.
  await page.locator('header').evaluate((header) => header.remove());
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Email address').fill('grace@example.com');
  await page.getByLabel('Topic').selectOption('An order');
  await page.getByLabel('Message').fill(question);
  const release = await holdRequests(page, service);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sending…').waitFor();
  const picture = await page.screenshot({ animations: 'disabled' });
  release();
  await page.locator('[role=status][data-state=arrived]').waitFor();
  return { picture, arrived: await storedBy(service, question) };
};

/** An email below the lines that every mail client shows. */
const withHeader = (html: string, subject: string, from: string): string => {
  const style =
    'margin:-8px -8px 12px; padding:12px 16px; background:#f4f6f9; border-bottom:1px solid #b9c3d0; font:14px/1.5 sans-serif';
  return html.replace('<body>', `$&<header style="${style}"><b>${subject}</b><br>From ${from}</header>`);
};

/** The email about a contact request. */
const emailPageOf = async (contact: Contact): Promise<string> => {
  const options = { from: 'Contact form <contact@example.com>', inboxOrigin: 'https://inbox.example.com' };
  const { html = '', subject = '', from } = await emailMessageOf(contact, options);
  return withHeader(html, subject, from?.name ?? '');
};

/** The email that confirms a contact request to its visitor. */
const confirmationPageOf = ({ id, site = '', createdAt }: Contact): string => {
  const { en } = confirmations;
  const words = { site: new URL(site).host, time: formatTime(createdAt, english), reference: id.slice(0, 8) };
  const { subject, html } = confirmationEmail(en.confirmation, en);
  const fill = (part: string) =>
    Object.entries(words).reduce((text, [name, value]) => text.replaceAll(`{{${name}}}`, value), part);
  return withHeader(fill(html), fill(subject), 'Example shop');
};

interface Framed {
  readonly picture: Buffer;
  readonly size: { readonly width: number; readonly height: number };
  readonly caption?: string;
}

const arrow = `<svg width="32" height="24" viewBox="-1 0 32 24" fill="none" stroke="#0b57d0" stroke-width="3.5"
  stroke-linecap="round" stroke-linejoin="round"><path d="M2 12h25M18 3l9 9-9 9" /></svg>`;

/**
 * Writes pictures as one, side by side in frames, with arrows between them. All lengths are whole numbers of pixels, since a
 * picture between two would be blurred.
 */
const frame = async (page: Page, file: string, pictures: readonly Framed[]) => {
  const figures = pictures.map(
    ({ picture, caption, size: { width, height } }) => `<figure>
      ${caption ? `<figcaption>${caption}</figcaption>` : ''}
      <img src="data:image/png;base64,${picture.toString('base64')}" width="${width}" height="${height}">
    </figure>`,
  );
  await page.setContent(`<!doctype html><style>
    body { margin: 0; width: max-content; display: flex; align-items: center; gap: 8px; padding: 16px; background: #eaeff6 }
    figure { margin: 0 }
    figcaption { margin: 0 0 12px 4px; font: 600 18px/24px sans-serif; color: #1c2430 }
    img { display: block; border-radius: 10px; box-shadow: 0 0 0 1px #b9c3d0 }
  </style>${figures.join(arrow)}`);
  await page.locator('body').screenshot({ path: imageOf(file) });
};

test.runIf(process.env['UPDATE_SCREENSHOTS'] === '1')(
  'takes the pictures of the documents',
  async ({ browser, visit, storeAll, openInbox }) => {
    // All of the form, a little smaller, in as many pixels as the others.
    const form = { viewport: { width: 408, height: 840 }, deviceScaleFactor: 425 / 408 };
    const { picture, arrived } = await sendForm(await visit(service, 'index.html', { ...look, ...form }));
    const [contact] = await storeAll([...arrived, ...olderOnes, ...earlierOnes]);
    if (!contact) throw new Error('The form did not arrive.');

    const email = await browser.newPage({ ...look, viewport: panel });
    await email.setContent(await emailPageOf(contact));

    const openAt = async (options: BrowserContextOptions) => {
      const page = await openInbox({ ...look, ...options });
      await page.clock.setFixedTime(now);
      await page.reload();
      return page;
    };
    const inbox = await openAt({ viewport: panel });
    await openRow(inbox, question);
    await inbox.mouse.move(0, 0);

    const paper = await browser.newPage({ ...look, viewport: { width: 1280, height: 900 } });
    await frame(paper, 'way.png', [
      { picture, size: panel, caption: '1. A visitor sends the form' },
      { picture: await email.screenshot(), size: panel, caption: '2. You get an email' },
      { picture: await inbox.screenshot(), size: panel, caption: '3. You reply from the inbox' },
    ]);

    const letter = { width: 560, height: 376 };
    const confirmation = await browser.newPage({ ...look, viewport: letter });
    await confirmation.setContent(confirmationPageOf(contact));
    await frame(paper, 'confirmation.png', [{ picture: await confirmation.screenshot(), size: letter }]);

    const list = await openAt({ viewport: phone });
    for (const read of ['quick response', 'discount', 'catalogue']) {
      await openRow(list, read);
      await list.keyboard.press('Escape');
    }
    await list.locator(':focus').blur();
    await list.mouse.move(0, 0);
    await list.evaluate('scrollTo(0, 0)');
    await frame(paper, 'inbox-phone.png', [{ picture: await list.screenshot(), size: phone }]);

    const wide = await openAt({ viewport: { width: 1280, height: 704 }, deviceScaleFactor: 1 });
    for (const read of ['quick response', 'discount', 'catalogue', question]) await openRow(wide, read);
    await wide.mouse.move(0, 0);
    await wide.evaluate('scrollTo(0, 0)');
    await wide.screenshot({ path: imageOf('inbox.png') });
  },
);
