import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { ContactFields } from '../../functions/contacts/contact.ts';
import type { ContactFile } from '../../functions/files/file.ts';
import { violationsOf } from './axe.ts';
import {
  allOfApi,
  article,
  test as base,
  expectRows,
  openRow,
  requestsOf,
  rowOf,
  rowsOf,
  service,
} from './inbox-page.ts';

const at = '2001-03-01T12:00:00.000Z';

const cv: ContactFile = { name: 'Lovelace, CV.pdf', type: 'application/pdf', size: 2_945_120 };
const roof: ContactFile = { name: 'Łódź roof.jpg', type: 'image/jpeg', size: 34_811 };
const notes: ContactFile = { name: 'notes.txt', type: 'text/plain', size: 812 };
const list: ContactFile = {
  name: 'list.xlsx',
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  size: 999_700,
};

const test = base.extend('storeWithFiles', ({ store, contacts: { client, table } }) => {
  return async (fields: ContactFields, files: readonly ContactFile[]): Promise<string> => {
    const id = await store(at, fields);
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { id },
        UpdateExpression: 'SET files = :files',
        ExpressionAttributeValues: { ':files': JSON.stringify(files) },
      }),
    );
    return id;
  };
});

/** What endpoint 3 says of a file besides what the list says. A local service scans nothing. */
interface Scan {
  readonly state: 'clean' | 'infected' | 'pending' | 'unknown';
  readonly hasUrl: boolean;
}

const clean: Scan = { state: 'clean', hasUrl: true };
const infected: Scan = { state: 'infected', hasUrl: false };
const pending: Scan = { state: 'pending', hasUrl: false };
const unknown: Scan = { state: 'unknown', hasUrl: true };
const unavailable: Scan = { state: 'unknown', hasUrl: false };

const ofOne = (url: URL) => /\/contact\/[\da-f-]{36}$/.test(url.pathname);

const fileUrl = (index: number, time: number) => `${service.apiUrl}/bucket/${index}?X-Amz-Signature=${time}`;

/** From now on, endpoint 3 has these results of scans, and URLs that say how many times it was asked. */
const respondWith = async (page: Page, ...scans: readonly Scan[]) => {
  let time = 0;
  await page.route(ofOne, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    time += 1;
    const response = await route.fetch();
    const contact = await response.json();
    const files = contact.files.map((file: ContactFile, index: number) => {
      const { state, hasUrl } = scans[index] ?? clean;
      return { ...file, state, ...(hasUrl && { url: fileUrl(index, time) }) };
    });
    await route.fulfill({ response, json: { ...contact, files } });
  });
};

const filesOf = (page: Page) => article(page).locator('#files');

const rowOfFile = (page: Page, name: string) => filesOf(page).getByRole('listitem').filter({ hasText: name });

const downloadOf = (page: Page, { name }: ContactFile) =>
  filesOf(page).getByRole('button', { name: `Download ${name}`, exact: true });

test('shows the name, the type and the size of each file, and offers those that a scan allows', async ({
  storeWithFiles,
  openInbox,
}) => {
  const old = { ...roof, name: 'old.jpg' };
  await storeWithFiles({ message: 'One' }, [cv, roof, notes, list, old]);
  const page = await openInbox({ locale: 'en-GB' });
  await respondWith(page, clean, infected, pending, unknown, unavailable);
  await openRow(page, 'One');
  await filesOf(page).getByText('Infected').waitFor();
  expect(await filesOf(page).getByRole('heading', { name: 'Files' }).isVisible()).toBe(true);
  const rows = await filesOf(page).getByRole('listitem').all();
  expect(await Promise.all(rows.map(async (row) => (await row.innerText()).split(/\s*\n+\s*/)))).toEqual([
    [cv.name, 'PDF · 2.9 MB', 'Download'],
    [roof.name, 'JPEG · 35 kB', 'Infected'],
    [notes.name, 'Text · 812 bytes', 'Being scanned'],
    [list.name, 'Spreadsheet · 1 MB', 'Not scanned', 'Download'],
    [old.name, 'JPEG · 35 kB', 'Not available'],
  ]);
  await filesOf(page).getByText('The scan found malware').waitFor();
  await filesOf(page).getByText('Open only what you expect').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.emulateMedia({ media: 'print' });
  expect(await filesOf(page).getByText(cv.name).isVisible()).toBe(true);
  expect(await filesOf(page).getByText('Download').first().isVisible()).toBe(false);
});

test('of files that are clean it says nothing more, in the language of the reader', async ({
  storeWithFiles,
  openInbox,
}) => {
  await storeWithFiles({ message: 'Eins' }, [cv]);
  const page = await openInbox({ locale: 'de-DE' });
  await respondWith(page, clean);
  await page.getByRole('link', { name: 'Eins' }).click();
  const name = `${cv.name} herunterladen`;
  await filesOf(page).getByRole('button', { name, exact: true }).waitFor();
  expect((await filesOf(page).innerText()).split(/\s*\n+\s*/)).toEqual([
    'Dateien',
    cv.name,
    'PDF · 2,9 MB',
    'Herunterladen',
  ]);
});

test('gets a file by a fresh URL, with the page staying as it is', async ({ storeWithFiles, store, openInbox }) => {
  await store(at, { message: 'To delete' });
  await storeWithFiles({ message: 'One' }, [cv, roof]);
  const page = await openInbox();
  await page.route(`${service.apiUrl}/bucket/**`, (route) =>
    route.fulfill({
      headers: { 'Content-Disposition': 'attachment; filename="from the bucket.jpg"' },
      contentType: 'image/jpeg',
      body: 'A roof',
    }),
  );
  await respondWith(page);
  const asked = requestsOf(page, 'GET');
  const dialogs: string[] = [];
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.type());
    await dialog.accept();
  });
  const countAsked = () => asked.filter((url) => ofOne(new URL(url))).length;
  await openRow(page, 'One');
  await expect.poll(countAsked).toBe(1);

  // A deletion that can still be undone: the browser would ask whether to leave the page.
  await rowsOf(page, 'To delete').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete 1 selected' }).click();
  const started = page.waitForEvent('download');
  await downloadOf(page, roof).click();
  expect((await started).url()).toBe(fileUrl(1, 2));
  expect((await started).suggestedFilename()).toBe('from the bucket.jpg');

  const again = page.waitForEvent('download');
  await downloadOf(page, cv).focus();
  await page.keyboard.press('Enter');
  expect((await again).url()).toBe(fileUrl(0, 3));
  expect(countAsked()).toBe(3);
  expect(await article(page).isVisible()).toBe(true);
  expect(await downloadOf(page, cv).evaluate((button) => button.matches(':focus'))).toBe(true);
  expect(dialogs).toEqual([]);
});

test('shows a file once its scan has ended', async ({ storeWithFiles, openInbox }) => {
  await storeWithFiles({ message: 'One' }, [cv]);
  const page = await openInbox();
  await respondWith(page, pending);
  await openRow(page, 'One');
  const retry = filesOf(page).getByRole('button', { name: 'Try again' });
  await retry.click();
  await page.getByRole('status').filter({ hasText: 'Try again in a minute' }).waitFor();
  expect(await downloadOf(page, cv).isVisible()).toBe(false);

  await respondWith(page, clean);
  await retry.click();
  await downloadOf(page, cv).waitFor();
  expect(await retry.isVisible()).toBe(false);
  // The button that had the focus is gone: the next key goes on among the files.
  await page.keyboard.press('Tab');
  expect(await downloadOf(page, cv).evaluate((button) => button.matches(':focus'))).toBe(true);
});

test('says so if a file turns out not to be available when somebody wants it', async ({
  storeWithFiles,
  openInbox,
}) => {
  await storeWithFiles({ message: 'One' }, [cv]);
  const page = await openInbox();
  await respondWith(page, clean);
  await openRow(page, 'One');
  await downloadOf(page, cv).waitFor();
  await respondWith(page, infected);
  await downloadOf(page, cv).click();
  await page
    .getByRole('status')
    .filter({ hasText: `${cv.name}: Infected` })
    .waitFor();
  expect(await downloadOf(page, cv).isVisible()).toBe(false);
});

const failures = [
  [(route: Route) => route.abort(), 'does not respond'],
  [(route: Route) => failWith(route, 403), 'does not have the permission'],
  [(route: Route) => failWith(route, 500), 'The API had an error (500)'],
] as const;

const failWith = (route: Route, status: number) =>
  route.fulfill({ status, headers: { 'Access-Control-Allow-Origin': service.inboxUrl }, json: { error: 'Error' } });

test('says why a file cannot be had, even where the list is hidden', async ({ storeWithFiles, openInbox }) => {
  await storeWithFiles({ message: 'One' }, [cv]);
  const page = await openInbox({ viewport: { width: 390, height: 844 } });
  await respondWith(page);
  await openRow(page, 'One');
  await downloadOf(page, cv).waitFor();
  for (const [fail, text] of failures) {
    await page.route(allOfApi, fail);
    await downloadOf(page, cv).click();
    await page.getByRole('status').filter({ hasText: text }).waitFor();
    await page.unroute(allOfApi, fail);
  }
  await page.route(allOfApi, (route) => failWith(route, 404));
  await downloadOf(page, cv).click();
  await page.getByText('This contact request has been deleted.').waitFor();
  await expectRows(page, []);
});

test('asks the API once for each that is opened, with files or without', async ({
  store,
  storeWithFiles,
  openInbox,
}) => {
  await storeWithFiles({ email: 'ada@example.com' }, [cv]);
  await store('2001-02-28T12:00:00.000Z', { message: 'Without files' });
  const page = await openInbox();
  await respondWith(page, unknown);
  await rowOf(page, 'ada@example.com').click();
  await filesOf(page).getByText('Not scanned', { exact: true }).waitFor();
  expect(await article(page).getByText('No message.').isVisible()).toBe(false);
  await page.unroute(ofOne);
  const asked = requestsOf(page, 'GET');
  await openRow(page, 'Without files');
  await expect.poll(() => asked.length).toBe(1);
  expect(await filesOf(page).isVisible()).toBe(false);
});

test('the list says how many files there are, and the search finds their names', async ({
  store,
  storeWithFiles,
  openInbox,
}) => {
  await storeWithFiles({ message: 'Two files' }, [cv, roof]);
  await storeWithFiles({ message: 'One file' }, [cv]);
  await store(at, { message: 'No file' });
  const page = await openInbox();
  await rowsOf(page, 'Two files').getByRole('img', { name: '2 files', exact: true }).waitFor();
  await rowsOf(page, 'One file').getByRole('img', { name: '1 file', exact: true }).waitFor();
  expect(await rowsOf(page, 'No file').getByRole('img').count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('searchbox').fill('lodz roof.JPG');
  await expectRows(page, ['Two files']);
  await page.getByRole('searchbox').fill('object');
  await expectRows(page, []);
});

test('the name of a file is text, of any length and direction', async ({ storeWithFiles, openInbox }) => {
  const hostile = { ...roof, name: `<img src=x onerror=alert(1)>${'\u0301'.repeat(20)}${'W'.repeat(52)}.jpg` };
  await storeWithFiles({ message: 'One' }, [hostile, { ...cv, name: 'סקיצה.pdf' }]);
  const page = await openInbox({ viewport: { width: 320, height: 640 } });
  await respondWith(page);
  await openRow(page, 'One');
  await rowOfFile(page, '<img').waitFor();
  const width = await page.locator('html').evaluate((html) => html.scrollWidth);
  expect(width).toBe(320);
  const box = await downloadOf(page, hostile).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
});
