import * as v from 'valibot';
import type { formFields } from '../names/service-fields.ts';
import type { Sites } from '../pages/sites.ts';
import { errorName, LoggableError, post, type TimeoutAfter, withDeadline } from '../shared/calls.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { uuidFromText } from '../shared/uuid.ts';
import type { CheckCaptcha } from './defences.ts';

export const captchaProviders = ['turnstile', 'hcaptcha', 'recaptcha'] as const;

type CaptchaProvider = (typeof captchaProviders)[number];

interface Provider {
  /** The form field of the visitor's token. */
  readonly field: (typeof formFields.spam)[number];
  readonly url: string;
  /** A secret key that the provider publishes for tests: it accepts the tokens of the test site keys. */
  readonly testKey: string;
  /** Whether the response names the host on which the captcha was solved. hCaptcha only repeats what the browser claims. */
  readonly namesHost: boolean;
}

/**
 * The providers share the protocol `siteverify`.
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 * https://developers.cloudflare.com/turnstile/troubleshooting/testing/
 * https://docs.hcaptcha.com/#verify-the-user-response-server-side
 * https://docs.hcaptcha.com/#integration-testing-test-keys
 * https://developers.google.com/recaptcha/docs/verify
 * https://developers.google.com/recaptcha/docs/faq
 */
export const providers: Readonly<Record<CaptchaProvider, Provider>> = {
  turnstile: {
    field: 'cf-turnstile-response',
    url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    testKey: '1x0000000000000000000000000000000AA',
    namesHost: true,
  },
  hcaptcha: {
    field: 'h-captcha-response',
    url: 'https://api.hcaptcha.com/siteverify',
    testKey: '0x0000000000000000000000000000000000000000',
    namesHost: false,
  },
  recaptcha: {
    field: 'g-recaptcha-response',
    url: 'https://www.google.com/recaptcha/api/siteverify',
    testKey: '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe',
    namesHost: true,
  },
};

/** What the function `create-contact-with-captcha` reads from variables, besides what `create-contact` reads. */
export const captchaSettings = v.object({
  captcha: v.object({
    provider: v.picklist(captchaProviders),
    /** The name of the secret that holds the provider's secret key. */
    secret: v.string(),
  }),
});

/** The provider's secret key. */
export const secretKey = v.pipe(v.string(), v.nonEmpty());

/** Milliseconds for a check, including reading the secret. */
export const checkTimeout = 2_000;

/**
 * The length and characters of all providers' tokens. A provider could respond to any other text with an error, and errors let
 * requests pass.
 */
const tokenSchema = v.pipe(v.string(), v.regex(/^[\w.~+/=-]{1,8000}$/));

/** Characters of a provider's response. */
const maxResponseLength = 64 * 1024;

const responseSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    success: v.boolean(),
    'error-codes': v.nullish(v.array(v.string()), []),
    hostname: v.nullish(v.string(), ''),
  }),
);

/**
 * The providers' codes of errors that speak of the token, which are their verdict. Our requests differ only in their tokens, so
 * `bad-request` is one of these. Any other error is the provider's own, or the owner's: above its monthly quota, Google responds
 * with 200 and a sentence as its code. Then the contact request passes, so a code that a bot's token can cause must stand here.
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/#error-codes
 * https://docs.hcaptcha.com/#siteverify-error-codes-table
 * https://developers.google.com/recaptcha/docs/verify#error_code_reference
 */
const verdicts: readonly string[] = [
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
  'bad-request',
  // Only hCaptcha's, with a former name of two of them.
  'expired-input-response',
  'already-seen-response',
  'invalid-or-already-seen-response',
  'not-using-dummy-passcode',
  'sitekey-secret-mismatch',
];

/** Characters of a provider's errors in a log. */
const maxReason = 200;

/** What a provider says instead of a verdict. It never shows the token. */
const withoutVerdict = (errors: readonly string[], token: string): LoggableError => {
  const reason = errors.join(', ').replaceAll(token, '…').slice(0, maxReason);
  return new LoggableError(reason === '' ? 'refused without a reason' : reason);
};

export interface CaptchaOptions {
  readonly provider: CaptchaProvider;
  readonly sites: Sites;
  /** Reads the provider's secret key. */
  readonly secret: () => Promise<string>;
  readonly count: CountMetric;
  readonly timeoutAfter: TimeoutAfter;
}

/** Lets the provider check the visitor's token. */
export const createCaptcha = ({ provider, sites, secret, count, timeoutAfter }: CaptchaOptions): CheckCaptcha => {
  const { field, url, testKey, namesHost } = providers[provider];

  const ask = async (
    key: string,
    token: string,
    retryKey: string | undefined,
    signal: AbortSignal,
  ): Promise<string> => {
    const parameters = new URLSearchParams({ secret: key, response: token });
    // Tokens are for a single use. With this key, the retry of a request that got 503 passes again. It includes what identifies
    // the request, so one token cannot pass for two.
    if (provider === 'turnstile' && retryKey !== undefined) {
      const uuid = uuidFromText(`${token} ${retryKey}`);
      // Cloudflare documents no version. Its examples are random UUIDs, which have version 4.
      parameters.set('idempotency_key', `${uuid.slice(0, 14)}4${uuid.slice(15)}`);
    }
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await post({ url, headers, body: parameters.toString() }, signal);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > maxResponseLength) throw new LoggableError('response too long');
    }
    const { statusCode: status = 500 } = response;
    // A busy provider refuses to check, whatever the token.
    if (status >= 500 || [403, 429].includes(status)) throw new LoggableError(`HTTP ${status}`);
    return text;
  };

  /** Providers leave the host out at times, even for pages of a site. */
  const isOfSite = (host: string): boolean =>
    host === '' || [...sites.values()].some(({ origin }) => new URL(origin).hostname === host.toLowerCase());

  const check = async (token: string, retryKey: string | undefined, signal: AbortSignal): Promise<boolean> => {
    const key = await secret();
    const text = await ask(key, token, retryKey, signal);
    const { success, 'error-codes': errors, hostname } = v.parse(responseSchema, text);
    const isVerdict = success
      ? errors.length === 0
      : errors.length > 0 && errors.every((each) => verdicts.includes(each));
    if (!isVerdict) throw withoutVerdict(errors, token);
    // Responses to a test key name a host of the provider's.
    return success && (!namesHost || key === testKey || isOfSite(hostname));
  };

  return async ({ visitor: { request }, sent, retryKey, isStored }) => {
    const token = v.safeParse(tokenSchema, sent.get(field));
    if (!token.success) return 'unsolved';
    // A phone sends the form again, with the spent token. And while the store is unavailable, a token must not be spent.
    if (retryKey !== undefined && (await isStored())) return 'unknown';
    const signal = timeoutAfter(checkTimeout);
    try {
      const isSolved = await withDeadline(signal, () => check(token.output, retryKey, signal));
      return isSolved ? 'solved' : 'unsolved';
    } catch (error) {
      const failure = error instanceof v.ValiError ? 'unreadable response' : errorName(error);
      const known = error instanceof LoggableError ? error.reason : failure;
      const reason = signal.aborted ? `no response within ${checkTimeout / 1000} seconds` : known;
      count('CaptchaSkipped');
      log('warn', 'captcha skipped', { requestId: request.id, provider, reason });
      return 'unknown';
    }
  };
};
