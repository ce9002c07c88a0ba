import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { bundleFunctions } from '../lib/infrastructure/bundle.ts';
import { launchOptions } from '../test/browser/launch-options.ts';
import { type Service, startService } from '../test/browser/service.ts';
import { contact } from './contact.ts';
import { median } from './measure.ts';
import { figure, type Section } from './page.ts';

const few = 100;
const many = 10_000;

/** A frame that takes longer is a stutter. */
const slowFrame = 50;

/** Pixels from one frame to the next: more than a screen, which no hand reaches for long. */
const step = 1_000;

const frames = 900;

const unthrottled = { rate: 10_000, burst: 5_000 };

const addUpTo = async ({ apiUrl }: Service, from: number, to: number) => {
  let sent = from;
  const send = async () => {
    while (sent < to) {
      sent += 1;
      const message = `Message ${sent}. ${contact.message}`;
      const response = await fetch(`${apiUrl}/api/v1/contact`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...contact, message }),
      });
      if (response.status !== 201) throw new Error(`The service responded with ${response.status}.`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));
};

/** Searches for nothing that is there, so that the page reads on to the end. */
const loadAll = async (page: Page) => {
  await page.locator('#list li').first().waitFor();
  await page.locator('#text').fill('nothing');
  await page.locator('#found', { hasText: '0 found' }).waitFor();
  await page.locator('#text').fill('');
};

/** The milliseconds of each frame while the list scrolls from its top to its bottom, again and again. */
const scroll = (page: Page): Promise<number[]> =>
  page.locator('html').evaluate(
    async (html, { step, frames }) => {
      const { requestAnimationFrame, innerHeight, scrollTo } = html.ownerDocument.defaultView;
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const times: number[] = [];
      let last = await nextFrame();
      let top = 0;
      for (let frame = 0; frame < frames; frame += 1) {
        scrollTo(0, top);
        top = top + innerHeight < html.scrollHeight ? top + step : 0;
        const now = await nextFrame();
        times.push(now - last);
        last = now;
      }
      scrollTo(0, 0);
      return times;
    },
    { step, frames },
  );

const keys = [...'Message 99', ...Array.from({ length: 10 }, () => 'Backspace')];

/** The milliseconds from each letter of a search to the end of the next frame, which shows its result. */
const search = async (page: Page) => {
  const field = page.locator('#text');
  await field.evaluate((element) => {
    const { requestAnimationFrame, performance } = element.ownerDocument.defaultView;
    const afterFrame = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
    element.addEventListener('input', ({ timeStamp }: { timeStamp: number }) => {
      element.time = new Promise((resolve) => afterFrame(() => resolve(performance.now() - timeStamp)));
    });
  });
  const letters: number[] = [];
  for (const key of keys) {
    await field.press(key);
    letters.push(await field.evaluate(({ time }) => time));
  }
  return letters;
};

/** Megabytes of JavaScript objects and of elements, once what nobody uses is gone. */
const memoryOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize } = await session.send('Runtime.getHeapUsage');
  return (usedSize + embedderHeapUsedSize) / 1e6;
};

const measure = async (service: Service, count: number) => {
  const browser = await chromium.launch(launchOptions);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${service.inboxUrl}#token=${service.staffToken}`);
    await loadAll(page);
    const frames = await scroll(page);
    return { count, frames, letters: await search(page), memory: await memoryOf(page) };
  } finally {
    await browser.close();
  }
};

const measureAll = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-inbox-'));
  const throttles = { public: unthrottled, staff: unthrottled };
  const { site, stop } = await startService(await bundleFunctions(folder), folder, { throttles });
  try {
    await addUpTo(site, 0, few);
    const ofFew = await measure(site, few);
    await addUpTo(site, few, many);
    return { ofFew, ofMany: await measure(site, many) };
  } finally {
    await stop();
    await rm(folder, { recursive: true });
  }
};

const isSlow = (time: number) => time > slowFrame;

const slowShare = (times: readonly number[]) => times.filter(isSlow).length / times.length;

const percent = (times: readonly number[]) => `${figure(100 * slowShare(times))} %`;

/** Fewer stutters than one frame in a hundred: nobody sees them. */
const scrolling = (times: readonly number[]) =>
  slowShare(times) < 0.01 ? 'scrolls smoothly' : 'stutters while it scrolls';

export const inbox = async (): Promise<Section> => {
  const { ofFew, ofMany } = await measureAll();
  return {
    title: 'Inbox',
    headline: `With ${figure(many)} contact requests, the inbox ${scrolling(ofMany.frames)}: ${percent(ofMany.frames)} of the frames take longer than ${slowFrame} ms. A search shows its result ${figure(median(ofMany.letters))} ms after each letter.`,
    text: `Chromium, without a graphics card, shows the [inbox](inbox.md) of a local service. It scrolls from top to bottom by ${figure(step)} pixels a frame, more than a screen. Then someone types a search, and erases it. Memory is that of JavaScript and of elements.`,
    columns: [
      'contact requests',
      `frames over ${slowFrame} ms`,
      'longest frame, ms',
      'letter, ms',
      'longest letter, ms',
      'memory, MB',
    ],
    rows: [ofFew, ofMany].map(({ count, frames, letters, memory }) => [
      figure(count),
      percent(frames),
      ...[Math.max(...frames), median(letters), Math.max(...letters), memory].map(figure),
    ]),
  };
};
