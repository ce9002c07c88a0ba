import * as v from 'valibot';
import { captchaProviders } from '../../functions/contacts/captcha.ts';
import { emailOrPhone, fieldNames } from '../../functions/contacts/contact.ts';
import { extraFieldsChoices, extraName } from '../../functions/contacts/extra.ts';
import { formName } from '../../functions/contacts/form.ts';
import { formFields } from '../../functions/contacts/form-fields.ts';
import { keyField } from '../../functions/contacts/idempotency.ts';
import { languages, languageTags } from '../../functions/contacts/languages/languages.ts';
import { SettingsError } from '../settings-error.ts';

const unknownSetting = 'unknown setting';

/** An object of settings. */
const settings = <const Entries extends v.ObjectEntries>(entries: Entries, example = '') =>
  v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return unknownSetting;
    return received === 'undefined' ? 'is required' : `must be an object${example}`;
  });

const text = v.string('must be a string');

const flag = v.boolean('must be true or false');

/** An email address. */
export const email = v.pipe(
  text,
  v.email(({ input }) => `"${input}" is not an email address`),
);

/** A list without duplicates. */
const distinct = <const Item extends v.GenericSchema>(
  item: Item,
  keyOf: (item: v.InferOutput<Item>) => string,
  message = 'must be a list',
) =>
  v.pipe(
    v.array(item, message),
    v.check((items) => new Set(items.map(keyOf)).size === items.length, 'has a duplicate'),
  );

/** A list of strings without duplicates; upper and lower case are the same. */
const list = <const Item extends v.GenericSchema<unknown, string>>(item: Item) =>
  distinct(item, (each) => each.toLowerCase());

/** At least one of several names. */
const names = <const Item extends v.GenericSchema<unknown, string>>(item: Item) =>
  v.pipe(
    distinct(item, (each) => each),
    v.nonEmpty('must name at least one'),
  );

const wholeNumber = (max: number, min = 1) => {
  const message = `must be a whole number from ${min} to ${max.toLocaleString('en')}`;
  return v.pipe(
    v.number(message),
    v.check((value) => Number.isInteger(value) && value >= min && value <= max, message),
  );
};

const oneOf = <const Texts extends readonly string[]>(texts: Texts) =>
  v.picklist(texts, `must be one of ${texts.map((each) => `"${each}"`).join(', ')}`);

/** The host names of this machine in URLs. */
export const localHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const parseUrl = (value: string): URL | undefined => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
};

const isInsecure = ({ protocol, hostname }: URL) => protocol === 'http:' && !localHosts.includes(hostname);

const insecure = 'must begin with https:// (http:// is for localhost only)';

/** A string for which `faultOf` finds no fault. */
const checked = (faultOf: (value: string) => string | undefined) =>
  v.pipe(
    text,
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? faultOf(dataset.value) : undefined;
      if (message !== undefined) addIssue({ message });
    }),
  );

/** The origin of a site, byte for byte as browsers send it. https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
export const siteOrigin = checked((value) => {
  const url = parseUrl(value);
  if (!url) return `"${value}" is not an origin: write a scheme and a host, as in "https://www.example.com"`;
  // The URL standard accepts `*` and quotation marks in host names.
  if (!/^[\w.:[\]-]+$/.test(url.host)) return `"${value}" has no valid host: write each host in full, without "*"`;
  if (url.origin !== value) return `"${value}" must be written as browsers send it: "${url.origin}"`;
  return isInsecure(url) ? `"${value}" ${insecure}` : undefined;
});

/** The page to which a visitor is redirected after a plain form. */
export const thankYouUrl = v.pipe(
  text,
  v.check(
    (value) => parseUrl(value) !== undefined,
    ({ input }) => `"${input}" is not an absolute URL, such as "https://www.example.com/thank-you"`,
  ),
  // Percent-encoded, since it goes into a header.
  v.transform((value) => new URL(value).href),
);

const site = settings(
  {
    origin: siteOrigin,
    /** @defaultValue a built-in page */
    thankYouUrl: v.optional(thankYouUrl),
    /** The language of the built-in pages and of error messages. */
    language: v.optional(oneOf(languageTags), languages[0].tag),
  },
  ', as in { origin: "https://www.example.com" }',
);

const sites = distinct(
  site,
  ({ origin }) => origin,
  'must be a list of sites, as in [{ origin: "https://www.example.com" }]',
);

const nameOfForm = checked((value) =>
  value !== '' && v.safeParse(formName, value).output === value
    ? undefined
    : `"${value}" is not the name of a form: 1 to 64 characters, without control characters and surrounding spaces`,
);

const requiredField = checked((value) => {
  if (value === emailOrPhone) return undefined;
  if (value.includes('|')) return `"${value}": only "${emailOrPhone}" can stand for one of two fields`;
  return v.is(extraName, value) ? undefined : `"${value}" is not the name of a field`;
});

const form = settings(
  {
    /** @defaultValue `defaultRequired` */
    required: v.optional(names(requiredField)),
    /** The thank-you page. @defaultValue that of the site */
    thankYouUrl: v.optional(thankYouUrl),
    /** The subject of emails and Slack messages. @defaultValue what the form sends as subject, or else one with the visitor's name */
    subject: v.optional(v.pipe(text, v.regex(/^(?=.*\S)\P{Cc}{1,150}$/u, 'must be one line of 1 to 150 characters'))),
  },
  ', as in { required: ["email"] }',
);

const { traps: defaultTraps, ...meaningful } = formFields;

const reservedFields: readonly string[] = [...fieldNames, keyField, ...Object.values(meaningful).flat()];

/** A form field that people leave empty and bots fill in. */
const trap = v.pipe(
  text,
  v.regex(
    /^[A-Za-z_][\w-]{0,63}$/,
    'must start with a letter or "_", followed by at most 63 letters, digits, "_" or "-"',
  ),
  v.check(
    (name) => !reservedFields.some((field) => field.toLowerCase() === name.toLowerCase()),
    ({ input }) => `"${input}" is a field that people or scripts fill in: choose another name`,
  ),
);

/** The beginnings of the providers' secret keys. */
const secretKey = /^(?:0x|ES_|6L)[\w-]{30}/;

const captcha = settings(
  {
    provider: oneOf(captchaProviders),
    /** The name of a secret in Secrets Manager that holds the provider's secret key. */
    secret: v.pipe(
      v.string('must be the name of a secret in Secrets Manager that holds the secret key'),
      // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
      v.regex(/^[\w/+=.@-]{1,512}$/, 'is not the name of a secret'),
      v.check(
        (name) => !secretKey.test(name),
        'is the secret key itself: store it in Secrets Manager, and write the name of that secret',
      ),
    ),
  },
  ', as in { provider: "turnstile", secret: "turnstile-key" }',
);

/** Zero bits of a proof of work: as many as example-site/contact-form.js computes. */
const defaultProofBits = 17;

/** The defences against spam. */
const spam = v.pipe(
  settings({
    traps: v.optional(list(trap), [...defaultTraps]),
    /** Marks posts of forms without any of the traps. */
    requireTrap: v.optional(flag, false),
    proofOfWork: v.optional(oneOf(['off', 'mark']), 'off'),
    /** @defaultValue `defaultProofBits` */
    proofBits: v.optional(wholeNumber(24, 8)),
    captcha: v.optional(captcha),
  }),
  v.forward(
    v.partialCheck(
      [['traps'], ['requireTrap']],
      ({ traps, requireTrap }) => traps.length > 0 || !requireTrap,
      'requires at least one name in traps',
    ),
    ['requireTrap'],
  ),
  v.forward(
    v.partialCheck(
      [['proofOfWork'], ['proofBits']],
      ({ proofOfWork, proofBits }) => proofOfWork === 'mark' || proofBits === undefined,
      'requires proofOfWork: "mark"',
    ),
    ['proofBits'],
  ),
);

/** Requests per second, and the burst above that. */
const throttle = v.optional(settings({ rate: wholeNumber(10_000), burst: wholeNumber(5_000) }), {
  rate: 20,
  burst: 100,
});

/** The retention times that CloudWatch Logs accepts, in days. */
const logRetentions = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

const hostname = v.pipe(
  text,
  v.regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    ({ input }) => `"${input}" is not a host name in lower case, such as "contact.example.com"`,
  ),
);

const domain = v.pipe(
  settings({
    name: hostname,
    /** A certificate for the name, in the stack's region. */
    certificateArn: v.pipe(
      text,
      v.regex(
        /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
        ({ input }) => `"${input}" is not the ARN of a certificate (arn:aws:acm:<region>:<account>:certificate/<id>)`,
      ),
    ),
    /** The Route 53 zone that gets a record for the name. Without it, make a CNAME to the output `DomainTarget…`. */
    hostedZone: v.optional(
      settings({ id: v.pipe(text, v.regex(/^Z[A-Z0-9]+$/, 'must look like "Z0123456789ABC"')), name: hostname }),
    ),
  }),
  v.check(
    ({ name, hostedZone: zone }) => !zone || name === zone.name || name.endsWith(`.${zone.name}`),
    'name must be hostedZone.name or a name below it',
  ),
);

/** A custom domain of the API. */
export type Domain = v.InferOutput<typeof domain>;

/** The URL of a webhook's receiver. Errors do not show it, since it can be secret. */
export const webhookUrl = v.pipe(
  checked((value) => {
    const url = parseUrl(value);
    if (!url) return 'is not a URL: write it in full, as in "https://hooks.example.com/contact"';
    if (isInsecure(url)) return insecure;
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
    return undefined;
  }),
  v.transform((value) => (URL.canParse(value) ? new URL(value).href : value)),
);

/** A target with conditions gets the contact requests that meet each of them. */
const conditions = {
  forms: v.optional(names(nameOfForm)),
  /** Origins. */
  sites: v.optional(names(siteOrigin)),
};

const emailTarget = settings({ to: email, ...conditions }, ', as in { to: "me@example.com", forms: ["sales"] }');

/** An address alone gets everything. */
const emailSetting = v.lazy((input) =>
  typeof input === 'object' && input !== null
    ? emailTarget
    : v.pipe(
        email,
        v.transform((to): v.InferOutput<typeof emailTarget> => ({ to })),
      ),
);

const webhookExample =
  ', as in { url: "https://hooks.example.com/contact" } or { format: "slack", secret: "slack-url" }';

/** A receiver of Standard Webhooks. */
const signedWebhook = settings(
  {
    url: v.pipe(
      webhookUrl,
      v.check(
        (url) => !URL.canParse(url) || new URL(url).hostname !== 'hooks.slack.com',
        'is a Slack URL: store it in Secrets Manager, and write { format: "slack", secret: "<the secret\'s name>" } instead',
      ),
    ),
    ...conditions,
  },
  webhookExample,
);

/** An incoming webhook of Slack. Its URL is a secret, so the settings hold only the name of one in Secrets Manager. */
const slackWebhook = settings(
  {
    format: v.literal('slack', 'must be "slack"; leave it out for a signed webhook'),
    secret: v.pipe(
      v.string('must be the name of a secret in Secrets Manager that holds the URL'),
      // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
      v.regex(
        /^[\w/+=.@-]{1,512}$/,
        'is not the name of a secret: store the URL in Secrets Manager and write its name',
      ),
    ),
    ...conditions,
  },
  webhookExample,
);

const webhook = v.lazy((input) =>
  typeof input === 'object' && input !== null && 'format' in input ? slackWebhook : signedWebhook,
);

const notifications = v.pipe(
  settings({
    /** The sender of emails. */
    from: v.optional(email),
    /** Addresses that get contact requests by email. */
    emails: v.optional(
      distinct(emailSetting, ({ to }) => to.toLowerCase()),
      [],
    ),
    /** Receivers that get contact requests by POST. */
    webhooks: v.optional(
      distinct(
        webhook,
        (each) => ('url' in each ? each.url : each.secret),
        'must be a list of webhooks, as in [{ url: "https://hooks.example.com/contact" }]',
      ),
      [],
    ),
    /** SES has verified `from` and `emails` in this account and region: the stack creates no identities. */
    existingIdentities: v.optional(flag, false),
    /** Stops notifications; up to 24 hours of it lose nothing. */
    paused: v.optional(flag, false),
  }),
  v.check(({ emails, webhooks }) => emails.length + webhooks.length > 0, 'has no target: set emails, webhooks or both'),
  v.forward(
    v.check(
      ({ emails, from }) => emails.length === 0 || from !== undefined,
      'is required with emails: write an address that receives email, as in from: "contact@example.com"',
    ),
    ['from'],
  ),
);

interface NamesOfTargets {
  readonly forms: Readonly<Record<string, unknown>>;
  readonly sites: readonly { readonly origin: string }[];
  readonly notifications?: v.InferOutput<typeof notifications> | undefined;
}

/** The forms and sites of targets that the environment does not have. Without `forms`, forms can have any name. */
const unknownNames = ({ forms, sites, notifications: given }: NamesOfTargets): string[] => {
  const targets = [...(given?.emails ?? []), ...(given?.webhooks ?? [])];
  const origins = sites.map(({ origin }) => origin);
  const listed = Object.keys(forms);
  return [
    ...targets.flatMap(({ sites: wanted = [] }) => wanted.filter((site) => !origins.includes(site))),
    ...targets.flatMap(({ forms: wanted = [] }) =>
      wanted.filter((name) => listed.length > 0 && !listed.includes(name)),
    ),
  ];
};

/** The settings that locate an environment's stack: the staff command reads these alone. */
export const stackSettings = {
  /** @defaultValue the account of the credentials */
  account: v.optional(v.pipe(text, v.regex(/^\d{12}$/, 'must be 12 digits'))),
  /** @defaultValue the region of the credentials' profile, or `AWS_REGION` */
  region: v.optional(v.pipe(text, v.regex(/^[a-z]{2,4}(?:-[a-z]+)+-\d$/, 'must be a region such as "eu-central-1"'))),
  /** Tells several services of one account and region apart: a part of the stack's name. @defaultValue none */
  instance: v.optional(
    v.pipe(
      text,
      v.regex(
        /^[a-z][a-z0-9]{0,19}$/,
        'must start with a lower-case letter, followed by at most 19 lower-case letters or digits',
      ),
    ),
  ),
};

const environmentSchema = v.pipe(
  settings({
    /** The key in `environments`: part of the stack's name, and the first segment of the base URL's path. */
    name: v.pipe(
      text,
      v.regex(
        /^[a-z][a-z0-9-]{0,29}$/,
        'must start with a lower-case letter, followed by at most 29 lower-case letters, digits or "-"',
      ),
    ),
    ...stackSettings,
    /** Tags of the stack, besides the service's own. */
    tags: v.optional(v.record(text, text, 'must be an object, as in { CostCenter: "4711" }'), {}),
    /** The sites whose forms post here; others get 403. */
    sites,
    /** Settings of forms, by name. A form without an entry has the defaults. */
    forms: v.optional(
      v.record(nameOfForm, form, 'must be an object, as in { newsletter: { required: ["email"] } }'),
      {},
    ),
    spam: v.optional(spam, {}),
    /** What happens to the fields that a contact request does not have: `keep` stores them with it. */
    extraFields: v.optional(oneOf(extraFieldsChoices), 'keep'),
    /** Throttles of the public endpoint and of each staff endpoint: targets, which API Gateway may exceed. */
    throttles: v.optional(settings({ public: throttle, staff: throttle }), {}),
    /** Puts a web ACL (AWS WAF) before the API, at a monthly price. */
    webAcl: v.optional(flag, false),
    /** The data outlive the stack, and stack and tables resist deletion. */
    retainData: v.optional(flag, true),
    /** The tables of a destroyed stack, instead of new ones. @defaultValue new tables */
    existingTables: v.optional(settings({ contacts: text, campaigns: text, tokens: text })),
    /** Days after which a contact request is deleted. @defaultValue never */
    retentionDays: v.optional(wholeNumber(3_650)),
    logRetentionDays: v.optional(v.picklist(logRetentions, `must be one of ${logRetentions.join(', ')}`), 90),
    /** Addresses that get alarms by email; each must confirm the subscription by a link. */
    alarmEmails: v.optional(list(email), []),
    /** Contact requests within one hour that raise an alarm. */
    contactsAlarm: v.optional(wholeNumber(1_000_000), 500),
    /** Hours without a non-spam contact request before the alarm fires; CloudWatch looks back a week. @defaultValue no alarm */
    silenceAlarm: v.optional(wholeNumber(168)),
    /** X-Ray traces requests. */
    tracing: v.optional(flag, false),
    /** The targets that are notified of each non-spam contact request. @defaultValue none */
    notifications: v.optional(notifications),
    /** Custom domains of the API. The base URL uses the last one. */
    domains: v.optional(
      v.pipe(
        v.array(domain, 'must be a list'),
        v.check((all) => new Set(all.map(({ name }) => name)).size === all.length, 'has a duplicate name'),
      ),
      [],
    ),
    /** API Gateway's own URL answers, too: forms on live pages may still post to it. */
    defaultEndpoint: v.optional(flag, true),
  }),
  v.forward(
    v.partialCheck(
      [['retainData'], ['existingTables']],
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
      ({ retainData, existingTables }) => retainData || !existingTables,
      'requires retainData: true, because CloudFormation imports only tables that outlive the stack',
    ),
    ['existingTables'],
  ),
  v.forward(
    v.partialCheck(
      [['forms'], ['sites'], ['notifications']],
      (environment) => unknownNames(environment).length === 0,
      ({ input }) =>
        unknownNames(input)
          .map((name) => `"${name}" is neither one of sites nor one of forms`)
          .join(', '),
    ),
    ['notifications'],
  ),
  v.forward(
    v.partialCheck(
      [['region'], ['domains']],
      ({ region, domains }) =>
        region === undefined || domains.every(({ certificateArn }) => certificateArn.includes(`:${region}:`)),
      "every certificate must be in the environment's region",
    ),
    ['domains'],
  ),
  v.forward(
    v.partialCheck(
      [['domains'], ['defaultEndpoint']],
      ({ domains, defaultEndpoint }) => defaultEndpoint || domains.length > 0,
      'can be false only with domains, because otherwise no URL would answer',
    ),
    ['defaultEndpoint'],
  ),
);

/** The settings of one environment, as an operator writes them. */
export type EnvironmentInput = Omit<v.InferInput<typeof environmentSchema>, 'name'>;

/** The settings of one environment, parsed, with its name. */
export type Environment = v.InferOutput<typeof environmentSchema>;

/** The zero bits that an environment requires of a proof of work, if any. */
export const proofBitsOf = ({
  spam: { proofOfWork, proofBits = defaultProofBits },
}: Environment): number | undefined => (proofOfWork === 'mark' ? proofBits : undefined);

/** Whether a defence can mark a visitor without any fault of theirs, if a page lacks what it needs. */
export const canMarkEveryone = ({ spam: { requireTrap, proofOfWork, captcha } }: Environment): boolean =>
  requireTrap || proofOfWork === 'mark' || captcha !== undefined;

/** The settings of notifications, parsed. */
export type NotificationSettings = NonNullable<Environment['notifications']>;

/** The names of all settings of an environment. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.entries).filter((name) => name !== 'name');

/** An environment's name with its instance in front: unique in an account and region. */
export const fullNameOf = ({ name, instance }: Pick<Environment, 'name' | 'instance'>): string =>
  instance === undefined ? name : `${instance}-${name}`;

/** The name of the stack, by an environment's full name. */
export const stackName = (fullName: string): string => `ContactService-${fullName}`;

/** The name of an environment's stack. */
export const stackNameOf = (environment: Pick<Environment, 'name' | 'instance'>): string =>
  stackName(fullNameOf(environment));

const sameStacks = (environments: readonly Environment[]): string[] =>
  [...Map.groupBy(environments, stackNameOf)].flatMap(([stack, [one, other]]) =>
    one && other ? `Environments "${one.name}" and "${other.name}" have the same stack ${stack}: rename one` : [],
  );

/** Removes a value from settings. */
const without = (settings: unknown, [key, ...path]: readonly unknown[]): unknown => {
  const remove = (value: unknown) => (path.length === 0 ? [] : [without(value, path)]);
  return Array.isArray(settings)
    ? settings.flatMap((value, index) => (index === key ? remove(value) : [value]))
    : Object.fromEntries(
        Object.entries(Object(settings)).flatMap(([name, value]) =>
          (name === key ? remove(value) : [value]).map((rest) => [name, rest]),
        ),
      );
};

/** Parses settings. valibot names only the first unknown key of an object, so this parses again without it. */
const parseSettings = (
  input: unknown,
): { environment?: Environment; issues: v.InferIssue<typeof environmentSchema>[] } => {
  const { success, output, issues = [] } = v.safeParse(environmentSchema, input);
  const unknown = issues.filter(({ message }) => message === unknownSetting);
  if (unknown.length === 0) return { ...(success && { environment: output }), issues };
  const rest = unknown.reduce(
    (settings, { path = [] }) =>
      without(
        settings,
        path.map(({ key }) => key),
      ),
    input,
  );
  return { issues: [...unknown, ...parseSettings(rest).issues] };
};

/**
 * Parses the settings of all environments.
 * @throws {SettingsError} a line for each error in any of them
 */
export const parseEnvironments = (inputs: Readonly<Record<string, object>>): Environment[] => {
  const environments: Environment[] = [];
  const faults: string[] = [];
  for (const [name, input] of Object.entries(inputs)) {
    const { environment, issues } = parseSettings({ ...input, name });
    if (environment) environments.push(environment);
    for (const issue of issues) {
      const path = v.getDotPath(issue);
      faults.push(`Environment "${name}": ${path === null ? '' : `${path}: `}${issue.message}`);
    }
  }
  faults.push(...sameStacks(environments));
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
  return environments;
};

/**
 * Parses the settings of one environment.
 * @throws {SettingsError} a line for each error
 */
export const parseEnvironment = (name: string, input: object): Environment => {
  const [environment] = parseEnvironments({ [name]: input });
  if (!environment) throw new Error(`Nothing was parsed for "${name}"`);
  return environment;
};
