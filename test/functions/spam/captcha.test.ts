import http, { type ServerResponse } from 'node:http';
import https from 'node:https';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { contactListStore } from '../../../functions/contacts/contact-store.ts';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import type { CreateContactOptions } from '../../../functions/forms/create.ts';
import { sitesByOrigin } from '../../../functions/pages/sites.ts';
import { LoggableError } from '../../../functions/shared/calls.ts';
import { namedSecret } from '../../../functions/shared/secret.ts';
import { parseUuid } from '../../../functions/shared/uuid.ts';
import { type CaptchaOptions, createCaptcha, providers, secretKey } from '../../../functions/spam/captcha.ts';
import { callerOf } from '../../support/call.ts';
import { germanSite, idIn, idsIn, minimal, siteOrigin, startContacts, startForms } from '../../support/contacts.ts';
import { awsError, startFakeAws } from '../../support/fake-aws.ts';
import { logLines, logText } from '../../support/log.ts';
import { noTimeout } from '../../support/notifications.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { client, createTable } from '../../support/tables.ts';

const token = 'a-token';
const secret = 'the-secret-key';

const field = 'cf-turnstile-response';

const says =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const accepts = says({ success: true, 'error-codes': [], hostname: 'www.example.com' });
const refuses = (...errors: string[]) => says({ success: false, 'error-codes': errors });

interface Start extends Partial<Omit<CaptchaOptions, 'count'>> {
  readonly respond?: (response: ServerResponse) => void;
  /** Settings of the form besides the captcha. */
  readonly settings?: Partial<CreateContactOptions>;
  readonly now?: () => Date;
}

/** The endpoint for forms with a captcha, and a stand-in for its provider. */
const start = async ({ respond = accepts, settings, now, ...options }: Start = {}) => {
  const provider = await startReceiver(respond);
  const calls = vi.spyOn(https, 'request').mockImplementation((_, call) => http.request(provider.url, call ?? {}));
  const counts: unknown[] = [];
  const captcha = createCaptcha({
    provider: 'turnstile',
    sites: sitesByOrigin([{ origin: siteOrigin, language: 'en' }, germanSite]),
    secret: async () => secret,
    timeoutAfter: noTimeout,
    ...options,
    count: (...counted) => counts.push(counted),
  });
  const forms = startForms({ ...settings, captcha }, now);
  return {
    ...forms,
    provider,
    /** The URLs that the service called, each of which leads to the stand-in. */
    urls: () => calls.mock.calls.map(([url]) => url),
    counts,
    /** Why each contact request is spam. */
    verdicts: () => forms.stored.map(({ spam }) => spam),
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  };
};

/** The parameters that the provider got. */
const askedOf = ({ received }: Receiver) => received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

const skipped = (reason: string) =>
  expect.objectContaining({
    message: 'captcha skipped',
    requestId: expect.any(String),
    provider: 'turnstile',
    reason,
  });

it.each([
  ['turnstile', field, 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
  ['hcaptcha', 'h-captcha-response', 'https://api.hcaptcha.com/siteverify'],
  ['recaptcha', 'g-recaptcha-response', 'https://www.google.com/recaptcha/api/siteverify'],
] as const)('asks %s once, with the secret and the token only', async (provider, field, url) => {
  await using service = await start({ provider });
  expect((await service.post({ ...minimal, [field]: token })).status).toBe(201);
  expect(service.stored).toMatchObject([{ fields: minimal, spam: false }]);
  expect(service.urls()).toEqual([url]);
  expect(askedOf(service.provider)).toEqual([{ secret, response: token }]);
  expect(service.provider.received).toMatchObject([
    { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ]);
});

describe('marks as spam', () => {
  it.each<[visitor: string, respond: (response: ServerResponse) => void]>([
    ['whom the provider refuses', refuses('invalid-input-response')],
    ['whose token is spent', refuses('timeout-or-duplicate')],
    ['whose token is spent, as hCaptcha says it', refuses('already-seen-response')],
    ['whose token has expired, as hCaptcha says it', refuses('expired-input-response')],
    ['whose token is spent, as hCaptcha once said it', refuses('invalid-or-already-seen-response')],
    ["whose token is hCaptcha's public one for tests", refuses('not-using-dummy-passcode')],
    ['whom two errors about the token refuse', refuses('missing-input-response', 'timeout-or-duplicate')],
    ['whose token is of another site', refuses('sitekey-secret-mismatch')],
    ['whose token the provider cannot read', says({ success: false, 'error-codes': ['bad-request'] }, 400)],
  ])('a visitor %s', async (_, respond) => {
    await using service = await start({ respond });
    expect((await service.post({ ...minimal, [field]: token })).status).toBe(201);
    expect(service.verdicts()).toEqual(['captcha']);
    expect(service.counts).toEqual([]);
  });

  it.each([
    ['missing', {}],
    ['blank', { [field]: ' ' }],
    ['of another provider', { 'h-captcha-response': token }],
    ['sent twice', { [field]: [token, token] }],
    ['no text', { [field]: { success: true } }],
    ['of 8,001 characters', { [field]: 'x'.repeat(8_001) }],
    ...[' ', '%', '<', '"', "'", '&', '\n', '\u0000', 'é'].map((character): [string, object] => [
      `a text with ${JSON.stringify(character)}`,
      { [field]: `a${character}token` },
    ]),
  ])('without asking a visitor whose token is %s', async (_, fields) => {
    await using service = await start();
    expect((await service.post({ ...minimal, ...fields })).status).toBe(201);
    expect(service.verdicts()).toEqual(['captcha']);
    expect(service.provider.received).toEqual([]);
  });
});

it.each([
  ['of every kind of character that tokens have', 'AZaz09_.~+/=-'],
  ['of 8,000 characters', 'x'.repeat(8_000)],
])('asks about a token %s', async (_, response) => {
  await using service = await start();
  await service.post({ ...minimal, [field]: response });
  expect(askedOf(service.provider)).toEqual([{ secret, response }]);
  expect(service.verdicts()).toEqual([false]);
});

describe('the host of a captcha', () => {
  const foreign = 'phishing.example.net';

  it.each<[host: string, options: Start, isCaught: boolean]>([
    ['www.example.com', {}, false],
    ['WWW.Example.de', {}, false],
    ['', {}, false],
    [foreign, {}, true],
    ['example.com', {}, true],
    ['www.example.com.example.net', {}, true],
    [foreign, { provider: 'recaptcha' }, true],
    ['www.example.com', { provider: 'recaptcha' }, false],
    ['not-provided', { provider: 'hcaptcha' }, false],
    // What these providers say of each test key.
    ['example.com', { secret: async () => providers.turnstile.testKey }, false],
    ['testkey.google.com', { provider: 'recaptcha', secret: async () => providers.recaptcha.testKey }, false],
  ])('judges a captcha solved on "%s" with %j: caught %s', async (hostname, options, isCaught) => {
    await using service = await start({ ...options, respond: says({ success: true, hostname }) });
    const tokens = { [providers[options.provider ?? 'turnstile'].field]: token };
    expect((await service.post({ ...minimal, ...tokens })).status).toBe(201);
    expect(service.verdicts()).toEqual([isCaught && 'captcha']);
    expect(service.counts).toEqual([]);
  });

  it.each([undefined, null])('accepts a captcha whose response names no host: %s', async (hostname) => {
    await using service = await start({ respond: says({ success: true, hostname }) });
    await service.post({ ...minimal, [field]: token });
    expect(service.verdicts()).toEqual([false]);
    expect(service.counts).toEqual([]);
  });
});

describe('accepts a visitor, logs and counts', () => {
  const overQuota =
    'Over Enterprise free quota. Please ensure your project has an active billing account: https://cloud.google.com/recaptcha/docs/billing-information';
  const hangUp = (response: ServerResponse) => response.destroy();

  it.each<[provider: string, start: Start, reason: string]>([
    ['responds with 500', { respond: says({ success: true }, 500) }, 'HTTP 500'],
    ['responds with 429', { respond: says({ success: false, 'error-codes': ['rate-limited'] }, 429) }, 'HTTP 429'],
    ['responds with 403', { respond: says({ success: false }, 403) }, 'HTTP 403'],
    ['responds with garbage', { respond: (response) => response.end('<html>token</html>') }, 'unreadable response'],
    ['responds without a verdict', { respond: says({ ok: 1 }) }, 'unreadable response'],
    ['responds without an end', { respond: (response) => response.end('x'.repeat(100_000)) }, 'response too long'],
    [
      'redirects',
      { respond: (response) => response.writeHead(302, { Location: 'https://a.example' }).end() },
      'unreadable response',
    ],
    ['hangs up', { respond: hangUp }, 'ECONNRESET'],
    ['refuses the secret key', { respond: refuses('invalid-input-secret') }, 'invalid-input-secret'],
    ['gets no secret key', { respond: refuses('missing-input-secret') }, 'missing-input-secret'],
    ['has an error of its own', { respond: refuses('internal-error') }, 'internal-error'],
    [
      'refuses the secret key and the token',
      { respond: refuses('invalid-input-secret', 'invalid-input-response') },
      'invalid-input-secret, invalid-input-response',
    ],
    ['is over its quota', { respond: refuses(overQuota) }, overQuota],
    [
      'passes everyone, because it is over its quota',
      { respond: says({ success: true, 'error-codes': ['Over free quota.'] }) },
      'Over free quota.',
    ],
    ['refuses without a reason', { respond: says({ success: false }) }, 'refused without a reason'],
    ['repeats the token in a new error', { respond: refuses(`odd-response: ${token}`) }, 'odd-response: …'],
    ['has a long error', { respond: refuses('x'.repeat(1_000)) }, 'x'.repeat(200)],
    [
      'is not asked, because the secret cannot be read',
      {
        secret: async () => {
          throw new LoggableError('secret AccessDeniedException');
        },
      },
      'secret AccessDeniedException',
    ],
  ])('if the provider %s', async (_, options, reason) => {
    await using service = await start(options);
    expect((await service.post({ ...minimal, [field]: token })).status).toBe(201);
    expect(service.verdicts()).toEqual([false]);
    expect(service.counts).toEqual([['CaptchaSkipped']]);
    expect(logLines()).toContainEqual(skipped(reason));
    expect(logText()).not.toMatch(/token|the-secret-key/);
  });

  it('if nobody listens', async () => {
    const service = await start();
    await service.provider[Symbol.asyncDispose]();
    await service.post({ ...minimal, [field]: token });
    expect(service.verdicts()).toEqual([false]);
    expect(logLines()).toContainEqual(skipped('ECONNREFUSED'));
  });

  it.each<[what: string, (response: ServerResponse) => void]>([
    ['does not respond', () => {}],
    ['stops in its response', (response) => response.writeHead(200).write('{"success":')],
  ])('if the provider %s for two seconds', async (_, begin) => {
    const time = new AbortController();
    const timeouts: number[] = [];
    await using service = await start({
      timeoutAfter: (milliseconds) => {
        timeouts.push(milliseconds);
        return time.signal;
      },
      respond: (response) => {
        begin(response);
        time.abort();
      },
    });
    await service.post({ ...minimal, [field]: token });
    expect(service.verdicts()).toEqual([false]);
    expect(timeouts).toEqual([2_000]);
    expect(service.counts).toEqual([['CaptchaSkipped']]);
    expect(logLines()).toContainEqual(skipped('no response within 2 seconds'));
  });

  it('if the secret takes two seconds', async () => {
    const time = new AbortController();
    const read = () => new Promise<string>(() => time.abort());
    await using service = await start({ timeoutAfter: () => time.signal, secret: read });
    await service.post({ ...minimal, [field]: token });
    expect(service.verdicts()).toEqual([false]);
    expect(logLines()).toContainEqual(skipped('no response within 2 seconds'));
  });
});

const plain = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('the provider is not asked about', () => {
  const spam = { traps: ['_gotcha'], requireTrap: true, proofBits: 8 };
  const form = (fields: object) => new URLSearchParams({ ...minimal, [field]: token, ...fields }).toString();

  it.each<[request: string, headers: Readonly<Record<string, string>>, body: string, verdicts: readonly string[]]>([
    ['a filled trap', plain, form({ _gotcha: 'x' }), ['trap']],
    ['a missing trap', plain, form({}), ['no trap']],
    ['a missing proof', plain, form({ _gotcha: '' }), ['no proof']],
    ['a mistake', plain, form({ email: 'nobody' }), []],
    ['a foreign page', { ...plain, Origin: 'https://evil.example' }, form({}), []],
  ])('%s', async (_, headers, body, verdicts) => {
    await using service = await start({ settings: { spam } });
    await service.create({ headers, body });
    expect(service.verdicts()).toEqual(verdicts);
    expect(service.provider.received).toEqual([]);
  });
});

describe('a plain form that a browser sends again', () => {
  const hcaptcha = 'h-captcha-response';
  const repeated = {
    headers: { ...plain, Accept: 'text/html' },
    body: new URLSearchParams({ ...minimal, [hcaptcha]: token }).toString(),
  };

  /** A stand-in for a provider that accepts the token once. */
  const startOnce = async () => {
    let respond = accepts;
    const provider = await startReceiver((response) => {
      respond(response);
      respond = refuses('already-seen-response');
    });
    vi.spyOn(https, 'request').mockImplementation((_, call) => http.request(provider.url, call ?? {}));
    const captcha = createCaptcha({
      provider: 'hcaptcha',
      sites: sitesByOrigin([germanSite]),
      secret: async () => secret,
      timeoutAfter: noTimeout,
      count: () => {},
    });
    return { provider, captcha };
  };

  it('is stored once, and its spent token is not sent to the provider', async () => {
    const { provider, captcha } = await startOnce();
    await using _ = provider;
    const contacts = await startContacts(undefined, { captcha });
    const first = await contacts.create(repeated);
    expect(await contacts.create(repeated)).toMatchObject({ status: 201, text: first.text });
    expect(idsIn(await contacts.list())).toHaveLength(1);
    expect(idsIn(await contacts.list({ query: [['spam', 'true']] }))).toEqual([]);
    expect(provider.received).toHaveLength(1);
  });

  it('keeps its token while the store fails', async () => {
    const { provider, captcha } = await startOnce();
    await using _ = provider;
    const failing = await startContacts(undefined, { captcha }, { client, table: 'missing' });
    expect((await failing.create(repeated)).status).toBe(500);
    const contacts = await startContacts(undefined, { captcha });
    await contacts.create(repeated);
    expect(idsIn(await contacts.list())).toHaveLength(1);
  });
});

describe('the idempotency key of Turnstile', () => {
  const uuid = v.pipe(v.string(), v.transform(parseUuid), v.string());

  const keysOf = async (...requests: (readonly [fields: object, headers?: Readonly<Record<string, string>>])[]) => {
    await using service = await start();
    for (const [fields, headers] of requests) await service.post({ ...minimal, [field]: token, ...fields }, headers);
    return askedOf(service.provider).map(({ idempotency_key: key }) => key && v.parse(uuid, key));
  };

  const key = { 'Idempotency-Key': 'k', Origin: siteOrigin };

  it('is the same for a retry, so that a token passes again after a 503', async () => {
    const [first, retry] = await keysOf([{}, key], [{}, key]);
    expect(first).toBeDefined();
    expect(retry).toBe(first);
  });

  it('is the same for a plain form in another hour', async () => {
    const keys = [];
    for (const hour of [12, 13]) {
      await using service = await start({ now: () => new Date(Date.UTC(2026, 2, 1, hour)) });
      const body = new URLSearchParams({ ...minimal, [field]: token }).toString();
      await service.create({ headers: { ...plain, Accept: 'text/html' }, body });
      keys.push(...askedOf(service.provider).map(({ idempotency_key: each }) => each));
    }
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  it.each([
    ['another key', {}, { 'Idempotency-Key': 'other' }],
    ['another token', { [field]: 'other' }, key],
  ])('is another one for %s', async (_, fields, headers) => {
    const [first, other] = await keysOf([{}, key], [fields, headers]);
    expect(other).toBeDefined();
    expect(other).not.toBe(first);
  });

  it('is missing without a key, because the token could pass again and again', async () => {
    expect(await keysOf([{}])).toEqual([undefined]);
  });

  it('is not sent to other providers', async () => {
    await using service = await start({ provider: 'hcaptcha' });
    await service.post({ ...minimal, 'h-captcha-response': token }, key);
    expect(askedOf(service.provider)).toEqual([{ secret, response: token }]);
  });
});

it('responds the same, whether the captcha catches it or not', async () => {
  const respond = async (passes: boolean) => {
    const contacts = await startContacts(undefined, { captcha: async () => (passes ? 'solved' : 'unsolved') });
    return contacts.post(minimal, { 'Idempotency-Key': 'k' });
  };
  expect(await respond(false)).toStrictEqual(await respond(true));
});

it.each([
  [{ status: 200, body: { SecretString: ` ${secret}\n` } }, undefined],
  [{ status: 200, body: { SecretString: ' ' } }, 'secret unusable'],
  [awsError(400, 'AccessDeniedException'), 'secret AccessDeniedException'],
] as const)('reads the secret key %j by its name', async (response, reason) => {
  await using aws = await startFakeAws(response);
  const client = new SecretsManagerClient({ endpoint: aws.url });
  await using service = await start({
    secret: namedSecret(client, 'captcha-key', secretKey, noTimeout, () => new Date()),
  });
  await service.post({ ...minimal, [field]: token });
  await service.post({ ...minimal, [field]: token });
  expect(askedOf(service.provider)).toEqual(reason === undefined ? Array(2).fill({ secret, response: token }) : []);
  expect(aws.calls).toHaveLength(reason === undefined ? 1 : 2);
  expect(aws.calls[0]?.input).toMatchObject({ SecretId: 'captcha-key' });
  if (reason !== undefined) expect(logLines()).toContainEqual(skipped(reason));
});

it('is checked by a function of its own, which reads the secret key from Secrets Manager', async () => {
  await using aws = await startFakeAws(awsError(400, 'AccessDeniedException'));
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', aws.url);
  vi.stubEnv('CAPTCHA', JSON.stringify({ provider: 'turnstile', secret: 'captcha-key' }));
  const table = await createTable(contactsTable);
  vi.stubEnv(contactsTable.variable, table);
  // Another file of this worker may have loaded create-contact.ts, with the variables of its own tests.
  vi.resetModules();
  const { handler, primed } = await import('../../../functions/create-contact-with-captcha.ts');
  await primed;
  const post = (fields: object) =>
    callerOf(
      'POST /api/v1/contact',
      handler,
    )({
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...minimal, ...fields }),
    });
  const unasked = idIn(await post({}));
  const accepted = idIn(await post({ [field]: token }));
  const listed = async (spam: boolean) => {
    const { items } = await contactListStore(client, table).list({ limit: 10, spam, now: new Date() });
    return items.map(({ id }) => id);
  };
  expect([await listed(true), await listed(false)]).toEqual([[unasked], [accepted]]);
  expect(aws.calls.map(({ operation }) => operation)).toEqual(['secretsmanager.GetSecretValue']);
  expect(logLines()).toContainEqual(skipped('secret AccessDeniedException'));
  expect(logLines()).toContainEqual(expect.objectContaining({ Environment: 'test', CaptchaSkipped: 1 }));
  vi.unstubAllEnvs();
  vi.resetModules();
});
