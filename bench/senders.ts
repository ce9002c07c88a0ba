import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { serveSite } from '../lib/local/example-site.ts';
import { launchOptions } from '../test/browser/launch-options.ts';
import { serve } from '../test/support/server.ts';
import { contact } from './contact.ts';

/** Zero bits of the proofs of work. With 17, they would take 32 times as long; with 8, some would be valid by chance. */
export const simulatedBits = 12;

/** A POST of a contact request. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: Date;
  /** The store is away, so the service answers with 503. */
  readonly isLost: boolean;
}

/** Somebody who sends contact requests. */
export interface Sender {
  readonly name: string;
  readonly isBot: boolean;
  /** How many contact requests they send: a retry is one more post. */
  readonly count: number;
  readonly posts: readonly Post[];
}

/** Somebody with a browser. */
interface Visitor {
  readonly name: string;
  readonly count: number;
  readonly javaScriptEnabled?: boolean;
  /** Cannot solve a captcha. */
  readonly isBot?: boolean;
  /** How many times slower the CPU is. */
  readonly slowdown?: number;
  /** Milliseconds that the clock is fast. */
  readonly fast?: number;
  /** How often they change the text before they send it. */
  readonly edits?: number;
  /** The first post of each contact request gets 503, and they send it again. */
  readonly retries?: boolean;
}

/** The field of a captcha, and the beginning of an answer that a person gave. */
export const captchaAnswer = { field: 'cf-turnstile-response', start: 'solved-' };

/** Fills in the fields that can be seen, and sends the form by the page's script, so many times. */
const fillAndSend = (page: Page, { count, isBot = false, edits = 0, retries = false }: Visitor) =>
  page.locator('form').evaluate(
    async (form, { count, isBot, edits, retries, field, start }) => {
      const { ownerDocument: document } = form;
      if (!isBot) {
        // Like a real widget: each answer is valid once.
        const answer = Object.assign(document.createElement('input'), { type: 'hidden', name: field });
        const reset = () => {
          answer.value = start + crypto.randomUUID();
        };
        reset();
        form.append(answer);
        Object.assign(globalThis, { turnstile: { reset } });
      }
      const status = form.querySelector('[role=status]');
      const send = () =>
        new Promise<string>((resolve) => {
          const observer = new document.defaultView.MutationObserver(() => {
            if (status.dataset.state === 'sending') return;
            observer.disconnect();
            resolve(status.dataset.state);
          });
          observer.observe(status, { attributeFilter: ['data-state'] });
          form.requestSubmit();
        });
      const isSeen = (element: typeof form) => {
        element.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === element;
      };
      const values = new Map([
        ['email', 'ada@example.com'],
        ['tel', '+44 20 7946 0000'],
        ['text', 'Ada Lovelace'],
      ]);
      const seen = [...form.elements].filter(isSeen);
      for (let at = 0; at < count; at += 1) {
        values.set('textarea', `Message ${at}`);
        for (const field of seen) {
          if (!values.has(field.type)) continue;
          field.focus();
          field.value = values.get(field.type);
        }
        for (let edit = 0; edit < edits; edit += 1) {
          form.elements.message.value += ' More.';
          await new Promise((resolve) => setTimeout(resolve));
        }
        let state = await send();
        if (retries) state = await send();
        if (state !== 'arrived') throw new Error(status.textContent);
      }
    },
    { count, isBot, edits, retries, ...captchaAnswer },
  );

/** Sends the form of a page whose script does not run, so many times. */
const sendPlainForm = async (page: Page, { count }: Visitor) => {
  for (let at = 0; at < count; at += 1) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.locator('form').evaluate((form, message) => {
      form.elements.email.value = 'ada@example.com';
      form.elements.message.value = message;
      form.requestSubmit();
    }, `Message ${at}`);
    await answered;
  }
};

const send = async (browser: Browser, url: string, visitor: Visitor) => {
  const { javaScriptEnabled = true, slowdown = 1, fast = 0 } = visitor;
  const page = await browser.newPage({ javaScriptEnabled });
  if (fast !== 0) await page.clock.setSystemTime(Date.now() + fast);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(url);
  await (javaScriptEnabled ? fillAndSend : sendPlainForm)(page, visitor);
  await page.close();
};

/** Records posts, in the place of the service. */
const startFront = async () => {
  let posts: Post[] = [];
  let losesEverySecond = false;
  const server = await serve((request, response, body) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const isLost = losesEverySecond && posts.length % 2 === 0;
    posts.push({ headers, body: body.toString(), at: new Date(), isLost });
    // With 204, the browser stays on the page of a plain form.
    response.writeHead(isLost ? 503 : 204, { 'Access-Control-Allow-Origin': '*' }).end();
  });
  return {
    ...server,
    record: async ({ retries = false }: Visitor, send: () => Promise<void>): Promise<Post[]> => {
      posts = [];
      losesEverySecond = retries;
      await send();
      return posts;
    },
  };
};

const urlEncoded = 'application/x-www-form-urlencoded';

/** A bot without a browser. Each of its messages is another one. */
const program = (
  name: string,
  count: number,
  origin: string,
  fieldsOf: (at: number) => Readonly<Record<string, string>>,
  contentType = urlEncoded,
): Sender => ({
  name,
  isBot: true,
  count,
  posts: Array.from({ length: count }, (_, at) => {
    const fields = { ...fieldsOf(at), message: `Buy ${at}` };
    return {
      headers: { Origin: origin, 'Content-Type': contentType },
      body: contentType === urlEncoded ? String(new URLSearchParams(fields)) : JSON.stringify(fields),
      at: new Date(),
      isLost: false,
    };
  }),
});

/** Every field in the HTML of a page's form, filled in. */
const everyFieldOf = async (url: string): Promise<Record<string, string>> => {
  const [form = ''] = /<form .*<\/form>/s.exec(await (await fetch(url)).text()) ?? [];
  const names = [...form.matchAll(/ name="([^"]+)"/g)].map(([, name = '']) => name);
  const { email, phone } = contact;
  return { ...Object.fromEntries(names.map((name) => [name, 'Ada Lovelace'])), email, phone };
};

/** Records what visitors and bots send from the example site. */
export const recordSenders = async (visitors: number, bots: number) => {
  await using front = await startFront();
  const replacements = new Map([
    ['http://127.0.0.1:3000', front.url],
    ['<form ', `<form data-proof="${simulatedBits}" `],
  ]);
  const site = await serveSite({ folder: join(import.meta.dirname, '..', 'example-site'), port: 0, replacements });
  const browser = await chromium.launch(launchOptions);
  const record = async (visitor: Visitor): Promise<Sender> => {
    const posts = await front.record(visitor, () => send(browser, site.origin, visitor));
    return { isBot: false, ...visitor, posts };
  };
  try {
    const count = visitors;
    const { origin } = site;
    const scripted = await record({ name: 'visitor with JavaScript', count });
    const valid = Object.fromEntries(new URLSearchParams(scripted.posts[0]?.body));
    const senders = [
      scripted,
      await record({ name: 'visitor without JavaScript', count, javaScriptEnabled: false }),
      await record({ name: 'visitor with a CPU 6 times slower', count, slowdown: 6 }),
      await record({ name: 'visitor with a clock five hours fast', count, fast: 5 * 60 * 60_000 }),
      await record({ name: 'visitor who edits the text five times', count, edits: 5 }),
      await record({ name: 'visitor who sends again after a 503', count, retries: true }),
      program('bot that posts the six fields as a form', bots / 2, origin, () => contact),
      program('bot that posts the six fields as JSON', bots / 2, origin, () => contact, 'application/json'),
      await everyFieldOf(origin).then((fields) => program('bot that fills in every field', bots, origin, () => fields)),
      await record({ name: 'bot in a headless browser', count: bots, isBot: true }),
      program('bot that sends one valid post again', bots / 2, origin, () => valid),
      program('the same, each time with another key', bots / 2, origin, () => ({
        ...valid,
        'idempotency-key': randomUUID(),
      })),
    ];
    return { origin, senders };
  } finally {
    await browser.close();
    await site.close();
  }
};
