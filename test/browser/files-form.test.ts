import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { pages as ar, script as arScript } from '../../functions/languages/ar.ts';
import { pages as en } from '../../functions/languages/en.ts';
import { listen, stop } from '../support/server.ts';
import { violationsOf } from './axe.ts';
import { filesStoredBy, gif, look, pdf, photo } from './files.ts';
import { countPosts, descriptionOf, loseResponse } from './form-page.ts';
import { test, type Visit } from './visitor.ts';

const service = inject('applications');

const cv = (page: Page) => page.getByLabel('CV');
const button = (page: Page) => page.getByRole('button', { name: 'Send' });

/** Opens the form, and fills in all but its file. */
const open = async (visit: Visit, text: string, options?: Parameters<Visit>[2], site = service) => {
  const page = await visit(site, 'application.html', options);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Message').fill(text);
  return page;
};

/** The input takes several pictures, and says how they are sent. */
const takePhotos = (page: Page, data: Readonly<Record<string, string>> = {}) =>
  cv(page).evaluate((input, dataset) => {
    Object.assign(input, { accept: 'image/*', multiple: true });
    Object.assign(input.dataset, dataset);
  }, data);

/** Sends the form, and waits for what it then shows. */
const send = async (page: Page, state: 'arrived' | 'failed' = 'arrived') => {
  await button(page).click();
  await page.locator(`[role=status][data-state=${state}]`).waitFor();
};

/** Lets the page send no more than so many bytes a second. */
const slowDown = async (page: Page, uploadThroughput: number) => {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await network.send('Network.emulateNetworkConditions', conditions);
};

test('a CV of 3 MB arrives byte for byte, while the page shows how much has left', async ({ visit }) => {
  const text = randomUUID();
  const page = await open(visit, text);
  const file = pdf('Lebenslauf Zoë.pdf', 3_000_000);
  await cv(page).setInputFiles(file);
  await slowDown(page, 1_000_000);
  await button(page).click();

  const progress = page.getByRole('progressbar', { name: 'Uploading:' });
  await expect.poll(() => progress.evaluate(({ value }) => value)).toBeGreaterThan(0.2);
  expect(await page.locator('label', { has: page.locator('progress') }).innerText()).toMatch(/^Uploading: \d{1,2}%$/);
  expect(await page.getByRole('status').innerText()).toBe('Sending…');
  expect(await violationsOf(page)).toEqual([]);

  await page.locator('[role=status][data-state=arrived]:focus').waitFor();
  expect(await progress.count()).toBe(0);
  expect(await cv(page).evaluate(({ files }) => files.length)).toBe(0);
  expect(await filesStoredBy(service, text)).toEqual([
    [{ name: 'Lebenslauf Zoë.pdf', type: 'application/pdf', content: file.buffer }],
  ]);
});

test('three photos of a phone arrive small, upright, and without what the camera noted', async ({ visit }) => {
  const text = randomUUID();
  const page = await open(visit, text, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await takePhotos(page, { shrink: '600' });
  const files = await Promise.all(['1.jpg', '2.jpeg', '3.JPG'].map((name) => photo(page, name, 2400, 1600)));
  expect(files.reduce((sum, { buffer }) => sum + buffer.length, 0)).toBeGreaterThan(4_400_000);
  expect(files[0]?.buffer.includes('Exif')).toBe(true);
  await cv(page).setInputFiles(files);
  await button(page).tap();
  await page.locator('[role=status][data-state=arrived]').waitFor();

  const [stored = []] = await filesStoredBy(service, text);
  expect(stored.map(({ name }) => name)).toEqual(['1.jpg', '2.jpeg', '3.JPG']);
  for (const { type, content } of stored) {
    expect(type).toBe('image/jpeg');
    expect(content.includes('Exif')).toBe(false);
    expect(await look(page, content)).toEqual({ width: 400, height: 600, above: 'red', below: 'blue' });
  }
});

/** What the browser cannot make smaller, or may not change. */
const unchanged = {
  'a GIF': async () => ({ file: gif('wave.gif') }),
  'a picture that is small already': async (page) => ({ file: await photo(page, 'roof.jpg', 200, 150, 0.1) }),
  'a picture in a browser that shows noise in its place': async (page) => {
    await page.locator('html').evaluate((html) => {
      const { prototype } = html.ownerDocument.defaultView.CanvasRenderingContext2D;
      const { getImageData } = prototype;
      prototype.getImageData = function (...area: readonly number[]) {
        const pixels = getImageData.apply(this, area);
        pixels.data.fill(77);
        return pixels;
      };
    });
    return { file: await photo(page, 'roof.jpg', 900, 600) };
  },
  'a picture in a browser that cannot turn it': async (page) => {
    await page.locator('html').evaluate((html) => {
      const { defaultView } = html.ownerDocument;
      const { createImageBitmap } = defaultView;
      defaultView.createImageBitmap = (file: unknown) => createImageBitmap(file);
    });
    return { file: await photo(page, 'roof.jpg', 900, 600) };
  },
  'a picture in a browser that cannot read it': async (page) => {
    const file = await photo(page, 'roof.jpg', 900, 600);
    return { file: { ...file, buffer: file.buffer.subarray(0, 100) } };
  },
} satisfies Record<string, (page: Page) => Promise<{ file: Awaited<ReturnType<typeof photo>> }>>;

test.for(Object.entries(unchanged))('%s is sent as it is', async ([, choose], { visit }) => {
  const text = randomUUID();
  const page = await open(visit, text);
  await takePhotos(page, { shrink: '300' });
  const { file } = await choose(page);
  await cv(page).setInputFiles(file);
  await send(page);
  const [[stored] = []] = await filesStoredBy(service, text);
  expect(stored?.name).toBe(file.name);
  expect(stored?.content.equals(file.buffer)).toBe(true);
});

test('a picture whose type the browser cannot write gets the ending of what is sent', async ({ visit }) => {
  const text = randomUUID();
  const page = await open(visit, text);
  await takePhotos(page, { shrink: '300' });
  await page.locator('html').evaluate((html) => {
    const { prototype } = html.ownerDocument.defaultView.HTMLCanvasElement;
    const { toBlob } = prototype;
    prototype.toBlob = function (callback: unknown) {
      toBlob.call(this, callback, 'image/png');
    };
  });
  const file = await photo(page, 'IMG 1.5.HEIC', 900, 600);
  await cv(page).setInputFiles({ ...file, mimeType: 'image/heic' });
  await send(page);
  const [[stored] = []] = await filesStoredBy(service, text);
  expect(stored).toMatchObject({ name: 'IMG 1.5.png', type: 'image/png' });
});

/** Files that visitors choose by mistake, and what they read. */
const mistakes = {
  'too large': { files: [pdf('cv.pdf', 4_400_000)], words: 'Choose fewer or smaller files: 4.4 MB at most in total.' },
  empty: { files: [pdf('cv.pdf', 0)], words: en.errors.empty_file },
  'of a wrong type': {
    files: [{ ...gif('cv.exe'), mimeType: 'application/x-msdownload' }],
    words: 'Choose a file of one of these types: PDF, DOC, DOCX, ODT.',
  },
  'too many': {
    files: ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => pdf(name, 100)),
    words: 'Choose fewer files: 2 at most.',
  },
};

test.for(Object.entries(mistakes))(
  'a file that is %s is not sent, and the error stands below the input until another is chosen',
  async ([, { files, words }], { visit }) => {
    const text = randomUUID();
    const page = await open(visit, text);
    const sent = countPosts(page);
    await cv(page).evaluate((input) => Object.assign(input, { multiple: true }).setAttribute('data-max-files', '2'));
    await cv(page).setInputFiles(files);
    await send(page, 'failed');
    expect(sent()).toBe(0);
    expect(await descriptionOf(cv(page))).toContain(words);
    expect(await page.getByRole('status').innerText()).toBe('Please correct the errors, then send your message again.');
    expect(await page.locator('#cv[aria-invalid=true]:focus').count()).toBe(1);
    expect(await page.locator('#cv + .error').count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);

    await cv(page).setInputFiles(pdf('right.pdf', 200));
    expect(await descriptionOf(cv(page))).toBe('');
    await send(page);
    expect((await filesStoredBy(service, text)).flat().map(({ name }) => name)).toEqual(['right.pdf']);
  },
);

test('the attribute accept is read as browsers mean it', async ({ visit }) => {
  const page = await visit(service, 'application.html');
  const isRefused = async (accept: string, name: string, type: string) => {
    await cv(page).evaluate(
      (input, [accept, name, type]) => {
        const { DataTransfer, File } = input.ownerDocument.defaultView;
        const transfer = new DataTransfer();
        transfer.items.add(new File(['x'], name, { type }));
        Object.assign(input, { accept, files: transfer.files });
      },
      [accept, name, type] as const,
    );
    // Other fields are empty, so the form is never sent.
    await send(page, 'failed');
    return (await descriptionOf(cv(page))) !== '';
  };
  for (const [accept, name, type, expected] of [
    ['.pdf', 'CV.PDF', 'application/pdf', false],
    [' .docx , .PDF', 'cv.pdf', '', false],
    ['.docx', 'cv.pdf', '', true],
    ['application/pdf', 'cv', 'application/pdf', false],
    ['application/pdf', 'cv.pdf', 'image/png', true],
    ['application/*', 'cv.pdf', 'application/pdf', false],
    ['image/*', 'cv.pdf', 'application/pdf', true],
    // The visitor's system does not know the type.
    ['image/*', 'roof.heic', '', false],
    [' ', 'cv.exe', 'application/x-msdownload', false],
  ] as const) {
    expect(await isRefused(accept, name, type), `${name} of the type "${type}", for accept="${accept}"`).toBe(expected);
  }
});

test("the service's errors stand below the input", async ({ visit }) => {
  const page = await open(visit, randomUUID());
  await cv(page).evaluate((input) => Object.assign(input, { multiple: true }));
  await cv(page).setInputFiles({ ...pdf('lie.pdf', 0), buffer: Buffer.from('MZ\x90\0\x03\0') });
  await send(page, 'failed');
  expect(await descriptionOf(cv(page))).toMatch(/^Choose a file of one of these types: PDF, PNG, /);
  await cv(page).setInputFiles(['1', '2', '3', '4', '5', '6'].map((name) => pdf(`${name}.pdf`, 100)));
  await send(page, 'failed');
  expect(await descriptionOf(cv(page))).toBe('Choose fewer files: 5 at most.');
});

test.for([
  ['a form without files', service, 100],
  ['an environment without files', inject('service'), 100_000],
] as const)('the input says that no files are accepted: %s', async ([, site, size], { visit }) => {
  const page = await open(visit, randomUUID(), {}, site);
  await page.locator('form').evaluate(({ elements }) => {
    elements['form-name'].value = 'other';
  });
  await cv(page).setInputFiles(pdf('cv.pdf', size));
  await send(page, 'failed');
  expect(await descriptionOf(cv(page))).toBe(
    'Only text can be sent with this form. Please send your message without files.',
  );
});

test('an error stands below the label if the page hides the input behind it', async ({ visit }) => {
  const page = await open(visit, randomUUID());
  await cv(page).evaluate((input) => {
    input.style.display = 'none';
  });
  await page.locator('#cv').setInputFiles(pdf('cv.pdf', 0));
  await send(page, 'failed');
  expect(await page.locator('label[for=cv] + .error').innerText()).toBe(en.errors.empty_file);
});

test('a double click sends the files once', async ({ visit }) => {
  const text = randomUUID();
  const page = await open(visit, text);
  const sent = countPosts(page);
  await cv(page).setInputFiles(pdf('cv.pdf', 1_000_000));
  await button(page).dblclick();
  await page.locator('[role=status][data-state=arrived]').waitFor();
  expect(sent()).toBe(1);
  expect(await filesStoredBy(service, text)).toHaveLength(1);
});

/** A network that ends the first request in the middle of its body. */
const startBadNetwork = async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const breaksOff = bodies.length === 0;
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (breaksOff && chunks.length === 3) request.socket.destroy();
    });
    request.once('close', () => bodies.push(Buffer.concat(chunks).toString('latin1')));
    request.once('end', async () => {
      const headers = { 'Content-Type': String(request.headers['content-type']), Origin: service.siteUrl };
      const sent = { method: 'POST', headers, body: Buffer.concat(chunks) };
      const stored = await fetch(`${service.apiUrl}/api/v1/contact`, sent);
      response.writeHead(stored.status, { 'Access-Control-Allow-Origin': service.siteUrl }).end(await stored.text());
    });
  });
  const url = await listen(server);
  return { url, bodies, [Symbol.asyncDispose]: () => stop(server) };
};

test('an upload that breaks off in the middle can be sent again, with the same key, and is stored once', async ({
  visit,
}) => {
  const text = randomUUID();
  const page = await open(visit, text);
  await takePhotos(page, { shrink: '1000' });
  await cv(page).setInputFiles(await photo(page, 'roof.jpg', 2000, 1500));
  await using network = await startBadNetwork();
  await page.route(`${service.apiUrl}/**`, (route) => route.continue({ url: network.url }));
  await send(page, 'failed');
  expect(await page.getByRole('status').innerText()).toContain('could not be reached');
  expect(await page.locator('progress').count()).toBe(0);
  await send(page);
  const keys = network.bodies.map((body) => /name="idempotency-key"\r\n\r\n([\d-]+)\r/.exec(body)?.[1]);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toMatch(/\d/);
  expect(keys[0]).toBe(keys[1]);
  expect(await filesStoredBy(service, text)).toHaveLength(1);
});

test('what was stored, though its response was lost, is stored once, in a browser that scales differently each time', async ({
  visit,
}) => {
  const text = randomUUID();
  const page = await open(visit, text);
  await takePhotos(page, { shrink: '300' });
  await page.locator('html').evaluate((html) => {
    const { prototype } = html.ownerDocument.defaultView.HTMLCanvasElement;
    const { toBlob } = prototype;
    let quality = 0.8;
    prototype.toBlob = function (callback: unknown, type: string) {
      quality -= 0.1;
      toBlob.call(this, callback, type, quality);
    };
  });
  await cv(page).setInputFiles(await photo(page, 'roof.jpg', 900, 600));
  await loseResponse(page, service);
  await send(page, 'failed');
  await send(page);
  expect(await filesStoredBy(service, text)).toHaveLength(1);
});

test('another file of the same name is another contact request', async ({ visit }) => {
  const text = randomUUID();
  const page = await open(visit, text);
  await cv(page).setInputFiles(pdf('cv.pdf', 100));
  await loseResponse(page, service);
  await send(page, 'failed');
  await cv(page).setInputFiles(pdf('cv.pdf', 200));
  await send(page);
  expect((await filesStoredBy(service, text)).flat().map(({ content }) => content.length)).toEqual([200, 100]);
});

test('the input and its errors work with the keyboard alone', async ({ visit }) => {
  const text = randomUUID();
  const page = await open(visit, text);
  const sizes = [0, 100];
  page.on('filechooser', (chooser) => chooser.setFiles(pdf('cv.pdf', sizes.shift() ?? 0)));
  const chooseBy = async (key: string, size: number) => {
    await page.keyboard.press(key);
    await expect.poll(() => cv(page).evaluate(({ files }) => files[0]?.size)).toBe(size);
  };
  await page.getByLabel('Message').press('Tab');
  await chooseBy('Enter', 0);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#cv[aria-invalid=true]:focus').waitFor();
  await chooseBy('Space', 100);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('[role=status][data-state=arrived]:focus').waitFor();
  expect(await filesStoredBy(service, text)).toHaveLength(1);
});

test('a page from right to left shows errors and the upload in its language', async ({ visit }) => {
  const texts = readFileSync(new URL('../../example-site/texts/ar.js', import.meta.url), 'utf8');
  const page = await open(visit, randomUUID());
  await page.route('**/contact-form.js', async (route) => {
    const response = await route.fetch();
    const own = (await response.text()).replace(/^ *const texts = .*?^ *\};$/ms, () => texts);
    await route.fulfill({ response, body: own });
  });
  await page.reload();
  await page.locator('html').evaluate((html) => Object.assign(html, { dir: 'rtl', lang: 'ar' }));
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email address').fill('ada@example.com');
  await cv(page).setInputFiles(pdf('cv.pdf', 5_000_000));
  await send(page, 'failed');
  const [before = '', between = '', after = ''] = ar.errors.files_too_large.split(/\{\w+\}/);
  const said = await descriptionOf(cv(page));
  expect(said.startsWith(before) && said.includes(between) && said.endsWith(after)).toBe(true);

  await cv(page).setInputFiles(pdf('cv.pdf', 1_000_000));
  await slowDown(page, 500_000);
  await button(page).click();
  const label = page.locator('label', { has: page.locator('progress') });
  await label.waitFor();
  expect(await label.innerText()).toContain(arScript.uploading.replace('{percent}', '').trim());
  expect(await label.evaluate((element) => element.matches(':dir(rtl)'))).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
});
