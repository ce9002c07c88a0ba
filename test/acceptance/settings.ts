import * as v from 'valibot';

/** Capabilities that a target, such as an emulator, can lack. The suite skips tests that need them. */
const capabilities = [
  /** The gateway's own errors have the service's form and CORS headers. */
  'gateway-responses',
  /** An encoded slash does not separate segments of the path. */
  'encoded-slash',
  /** Absolute URLs in responses lead to the service. */
  'location',
  /** Malformed HTTP gets errors in the service's form. */
  'malformed-http',
  /** The header `Authorization`, which AWS uses itself, changes nothing. */
  'foreign-signature',
  /** The gateway responds to CORS preflights. */
  'preflight',
  /** The environment stores extra fields (`extraFields: 'keep'`). */
  'extra-fields',
  /** The environment has `triage: true`. The suite finds out by itself. */
  'triage',
] as const;

export type Capability = (typeof capabilities)[number];

/** The permissions that a token may have. */
export const permissions = ['contacts:read', 'contacts:delete', 'contacts:write', 'campaigns:read'] as const;

export type Permission = (typeof permissions)[number];

const commaSeparated = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((part) => part.trim())),
  v.transform((parts) => parts.filter(Boolean)),
);

const text = v.string('is missing');
const url = v.pipe(text, v.url('is not a URL'));

const limitedTokenForm = 'must be contacts:read=<token>,…';
const limitedToken = v.pipe(
  text,
  v.transform((pair) => pair.split('=')),
  v.strictTuple([v.picklist(permissions, limitedTokenForm), v.string(limitedTokenForm)], limitedTokenForm),
);

const lack = v.picklist(capabilities, ({ input }) => `"${input}" is not one of ${capabilities.join(', ')}`);

const variables = v.object(
  {
    BASE_URL: url,
    /** A token with every permission. */
    STAFF_TOKEN: v.pipe(text, v.nonEmpty('is empty')),
    /** One of the target's site origins. */
    SITE_ORIGIN: v.optional(url, 'http://localhost:8080'),
    /** One of the target's inbox origins, if it has any. */
    INBOX_ORIGIN: v.optional(url),
    /** The URL of that site's success page, if it has one. */
    THANK_YOU_URL: v.optional(url),
    /** Tokens with a single permission each, as in `contacts:read=<token>,campaigns:read=<token>`. */
    LIMITED_TOKENS: v.optional(v.pipe(commaSeparated, v.array(limitedToken)), ''),
    /** The capabilities that the target lacks, as in `location,preflight`. */
    LACKS: v.optional(v.pipe(commaSeparated, v.array(lack)), ''),
  },
  'is missing',
);

/** The suite's target. */
export interface Settings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly staffToken: string;
  readonly siteOrigin: string;
  readonly inboxOrigin?: string | undefined;
  readonly thankYouUrl?: string | undefined;
  readonly limitedTokens: Readonly<Partial<Record<Permission, string>>>;
  readonly lacks: readonly Capability[];
}

/**
 * Reads the settings of a run from environment variables.
 * @throws {Error} one line that names each missing or wrong variable
 */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const result = v.safeParse(variables, environment);
  if (!result.success) {
    const errors = result.issues.map((issue) => `${v.getDotPath(issue)?.split('.')[0]} ${issue.message}`);
    throw new Error(`The acceptance suite cannot start: ${[...new Set(errors)].join('; ')}`);
  }
  const { BASE_URL, STAFF_TOKEN, SITE_ORIGIN, INBOX_ORIGIN, THANK_YOU_URL, LIMITED_TOKENS, LACKS } = result.output;
  return {
    baseUrl: BASE_URL.replace(/\/+$/, ''),
    staffToken: STAFF_TOKEN,
    siteOrigin: SITE_ORIGIN,
    inboxOrigin: INBOX_ORIGIN,
    thankYouUrl: THANK_YOU_URL,
    limitedTokens: Object.fromEntries(LIMITED_TOKENS),
    lacks: LACKS,
  };
};
