import * as v from 'valibot';

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

const origin = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    ({ input }) =>
      `"${input}" is no site origin: write scheme and host only, in lower case, with no path and no slash at the end, as in "https://www.example.com"`,
  ),
  v.check(
    (text) => text.startsWith('https://') || localHosts.includes(new URL(text).hostname),
    ({ input }) => `"${input}" must begin with https:// (http:// is for localhost only)`,
  ),
);

const thankYouUrl = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol),
    ({ input }) => `"${input}" is no absolute URL, such as "https://www.example.com/thank-you"`,
  ),
);

const positive = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A rate in requests a second, and how many requests may come at once on top of it. */
const throttle = v.strictObject({ rate: positive, burst: positive });

/** What AWS takes as a log retention, in days. */
const logRetentionDays = v.picklist([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653]);

const environmentSchema = v.strictObject({
  /** The origins of the sites whose forms post here: others get 403. */
  siteOrigins: v.pipe(
    v.array(origin),
    v.check(
      (origins) => new Set(origins).size === origins.length,
      () => 'names an origin twice',
    ),
  ),
  /** Where a plain form's visitor is sent after a success; without it they see a built-in page. */
  thankYouUrl: v.optional(thankYouUrl),
  /** The form field that people leave empty and bots fill. */
  honeypotField: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]{0,63}$/)), 'website'),
  /** Throttling of the public route and, together, of the others. */
  throttles: v.strictObject({ public: throttle, staff: throttle }),
  /** Whether the data outlive the stack and resist deletion. */
  retainData: v.boolean(),
  logRetentionDays,
});

/** The settings of one environment, as they are written down. */
export type EnvironmentInput = v.InferInput<typeof environmentSchema>;

/** The settings of one environment, checked, with its name. */
export type Environment = v.InferOutput<typeof environmentSchema> & { readonly name: string };

/**
 * Checks an environment's settings.
 * @throws {Error} one line that names the environment and each setting at fault
 */
export const parseEnvironment = (name: string, input: EnvironmentInput): Environment => {
  const result = v.safeParse(environmentSchema, input);
  if (result.success) return { name, ...result.output };
  const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'settings'}: ${issue.message}`);
  throw new Error(`Environment "${name}" is wrong: ${faults.join('; ')}`);
};

/** The environments that can be deployed, one stack each. To add one, add an entry. */
export const environments = {
  dev: {
    siteOrigins: ['http://localhost:8080'],
    throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
    retainData: false,
    logRetentionDays: 7,
  },
  staging: {
    siteOrigins: ['https://staging.example.com'],
    throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
    retainData: false,
    logRetentionDays: 30,
  },
  prod: {
    siteOrigins: ['https://www.example.com'],
    throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
    retainData: true,
    logRetentionDays: 90,
  },
} satisfies Record<string, EnvironmentInput>;
