import * as v from 'valibot';
import { LoggableError, nameOf, post, type TimeLimit, withDeadline } from '../shared/calls.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { uuidFromText } from '../shared/uuid.ts';
import { jsonVariable } from '../shared/variables.ts';
import type { formFields } from './form-fields.ts';
import type { PassesCaptcha } from './spam.ts';

/** A provider of captchas. */
interface Provider {
  /** The form field with the visitor's token. */
  readonly field: (typeof formFields.spam)[number];
  readonly url: string;
}

/**
 * The providers share the protocol `siteverify`.
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 * https://docs.hcaptcha.com/#verify-the-user-response-server-side
 * https://developers.google.com/recaptcha/docs/verify
 */
const providers = {
  turnstile: {
    field: 'cf-turnstile-response',
    url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  },
  hcaptcha: { field: 'h-captcha-response', url: 'https://api.hcaptcha.com/siteverify' },
  recaptcha: { field: 'g-recaptcha-response', url: 'https://www.google.com/recaptcha/api/siteverify' },
} as const satisfies Readonly<Record<string, Provider>>;

export const captchaProviders = ['turnstile', 'hcaptcha', 'recaptcha'] as const satisfies (keyof typeof providers)[];

export type CaptchaProvider = (typeof captchaProviders)[number];

/** Environment variables of the function `create-contact-with-captcha`, besides those of `create-contact`. */
export const captchaVariables = {
  CAPTCHA: jsonVariable(
    v.object({
      provider: v.picklist(captchaProviders),
      /** The name of the secret that holds the provider's secret key. */
      secret: v.string(),
    }),
  ),
};

export type CaptchaVariables = v.InferOutput<v.ObjectSchema<typeof captchaVariables, undefined>>;

/** The provider's secret key. */
export const secretKey = v.pipe(v.string(), v.nonEmpty());

/** Milliseconds for a check, with reading the secret. */
const checkLimit = 3_000;

/** Longer than any provider's tokens. A provider might answer a longer one with an error, which would let it pass. */
const token = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,8000}$/));

/** Bytes of an answer: no provider sends as many. */
const maxAnswer = 64 * 1024;

const answerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ success: v.boolean(), 'error-codes': v.nullish(v.array(v.string()), []) }),
);

/** Errors that say nothing about the token. No token may cause them, or bots would pass with it. */
const ownErrors = ['missing-input-secret', 'invalid-input-secret', 'internal-error'];

export interface CaptchaOptions {
  readonly provider: CaptchaProvider;
  /** Reads the provider's secret key. */
  readonly secret: () => Promise<string>;
  readonly count: CountMetric;
  readonly limit: TimeLimit;
  /** @defaultValue the provider's */
  readonly url?: string;
}

/** Checks the visitor's token. If the provider gives no verdict, the contact request passes. */
export const createCaptcha = ({
  provider,
  secret,
  count,
  limit,
  url = providers[provider].url,
}: CaptchaOptions): PassesCaptcha => {
  const ask = async (response: string, idempotencyKey: string | undefined, signal: AbortSignal): Promise<string> => {
    const parameters = new URLSearchParams({ secret: await secret(), response });
    // Tokens are for a single use. With this, the retry of a request that got 503 passes again. It depends on the request's
    // key, which buys one contact request.
    if (provider === 'turnstile' && idempotencyKey !== undefined)
      parameters.set('idempotency_key', uuidFromText(`${response} ${idempotencyKey}`));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await post({ url, headers, body: parameters.toString() }, signal);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk;
      if (text.length > maxAnswer) throw new LoggableError('answer too long');
    }
    const { statusCode: status = 500 } = answer;
    if (status >= 500) throw new LoggableError(`HTTP ${status}`);
    return text;
  };

  const verdictOf = (text: string): boolean => {
    const { success, 'error-codes': errors } = v.parse(answerSchema, text);
    const own = ownErrors.find((error) => errors.includes(error));
    if (!success && own !== undefined) throw new LoggableError(own);
    return success;
  };

  return async (sent, idempotencyKey) => {
    const response = v.safeParse(token, sent.get(providers[provider].field));
    if (!response.success) return false;
    const signal = limit(checkLimit);
    try {
      return verdictOf(await withDeadline(signal, () => ask(response.output, idempotencyKey, signal)));
    } catch (error) {
      const failure = error instanceof v.ValiError ? 'unreadable answer' : nameOf(error);
      const known = error instanceof LoggableError ? error.reason : failure;
      const reason = signal.aborted ? `no answer within ${checkLimit / 1000} seconds` : known;
      count('CaptchaSkipped');
      log('warn', 'captcha skipped', { provider, reason });
      return true;
    }
  };
};
