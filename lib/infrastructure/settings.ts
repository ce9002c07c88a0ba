import * as v from 'valibot';
import { extraFieldsChoices } from '../../functions/contacts/extra.ts';
import { languages } from '../../functions/languages/languages.ts';
import { maxSubject } from '../../functions/notify/wording.ts';
import { SettingsError } from '../shared/settings-error.ts';
import { isAnyToken, isToken } from './cdk-token.ts';
import { confirmation, errorOfConfirmation } from './confirmation-settings.ts';
import { requiredFields, sentFields } from './field-settings.ts';
import { errorOfFiles, filesOfEnvironment, filesOfForm, formsWithoutBucket } from './files-settings.ts';
import { impossibleConditions } from './notification-conditions.ts';
import { notifications, unknownNames } from './notification-settings.ts';
import {
  checked,
  distinct,
  email,
  flag,
  list,
  nameOfForm,
  oneOf,
  orToken,
  runbookUrl,
  settings,
  siteOrigin,
  textSetting,
  thankYouUrl,
  wholeNumber,
} from './schemas.ts';
import { contentOf, spam } from './spam-settings.ts';

const site = settings(
  {
    origin: orToken(siteOrigin),
    /** @defaultValue a built-in page */
    thankYouUrl: v.optional(orToken(thankYouUrl)),
    /** The language of the built-in pages and of error messages. */
    language: v.optional(oneOf(Object.keys(languages)), 'en'),
  },
  ', as in { origin: "https://www.example.com" }',
);

const sites = distinct(site, ({ origin }) => origin, {
  example: ' of sites, as in [{ origin: "https://www.example.com" }]',
});

const inboxOrigins = distinct(orToken(siteOrigin), (origin) => origin, {
  example: ' of origins, as in ["https://inbox.example.com"]',
});

const errorOfTrap = (names: readonly string[], traps: readonly string[]) =>
  `has "${names.find((name) => traps.includes(name))}", a trap, which visitors leave empty: remove it`;

/** Ten years. */
const retentionDays = wholeNumber(3_650);

const form = settings(
  {
    /** The names under which it sends the fields, if the service cannot tell. @defaultValue those of the environment */
    fields: v.optional(sentFields),
    /** @defaultValue that of the environment */
    required: v.optional(requiredFields),
    /** The success page. @defaultValue that of the site */
    thankYouUrl: v.optional(orToken(thankYouUrl)),
    /** Days after which its contact requests are deleted. @defaultValue those of the environment */
    retentionDays: v.optional(retentionDays),
    /** Its visitors get a confirmation by email. @defaultValue that of the environment */
    confirmation: v.optional(confirmation),
    /** It accepts files. Needs `files` of the environment. @defaultValue none */
    files: v.optional(filesOfForm),
    /** Of notifications; `{name}` stands for the visitor's name. @defaultValue what the form sends as subject, or else our own */
    subject: v.optional(
      v.pipe(
        textSetting,
        v.check(
          (value) => /^(?=.*\S)[^\p{Cc}\u2028\u2029]+$/u.test(value) && value.length <= maxSubject,
          `must be one line of 1 to ${maxSubject} characters`,
        ),
      ),
    ),
  },
  ', as in { required: ["email"] }',
);

/** Requests per second, and the burst above that. */
const throttle = v.optional(settings({ rate: wholeNumber(10_000), burst: wholeNumber(5_000) }), {
  rate: 20,
  burst: 100,
});

/** The retention times that CloudWatch Logs accepts, in days. */
const logRetentions = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

const hostname = v.pipe(
  textSetting,
  v.regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    ({ input }) => `"${input}" is not a host name in lower case, such as "contact.example.com"`,
  ),
);

const domain = v.pipe(
  settings({
    name: hostname,
    /** A certificate for the name, in the stack's region. */
    certificateArn: orToken(
      v.pipe(
        textSetting,
        v.regex(
          /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
          ({ input }) => `"${input}" is not the ARN of a certificate (arn:aws:acm:<region>:<account>:certificate/<id>)`,
        ),
      ),
    ),
    /** The Route 53 zone that gets a record for the name. Without it, make a CNAME to the output `DomainTarget…`. */
    hostedZone: v.optional(
      settings({
        id: orToken(v.pipe(textSetting, v.regex(/^Z[A-Z0-9]+$/, 'must look like "Z0123456789ABC"'))),
        name: orToken(hostname),
      }),
    ),
  }),
  v.check(
    ({ name, hostedZone: zone }) => !zone || isToken(zone.name) || name === zone.name || name.endsWith(`.${zone.name}`),
    'name must be hostedZone.name or a name below it',
  ),
);

/**
 * A text of a tag. CloudFormation gives a stack's tags to its resources, and only these characters suit all of them.
 * https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html#id_tags_naming_best_practices
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Tag.html
 */
const tagText = (max: number) => {
  const isAllowed = new RegExp(`^(?!aws:)[\\p{L}\\p{N} _.:/=+@-]{1,${max}}$`, 'iu');
  return checked((value) =>
    isAllowed.test(value)
      ? undefined
      : `${JSON.stringify(value)} is no text for a tag: use 1 to ${max} letters, digits, spaces and _ . : / = + - @, and do not begin with "aws:"`,
  );
};

/** A custom domain of the API. */
export type Domain = v.InferOutput<typeof domain>;

/** The settings that locate an environment's stack: the staff command reads these alone. */
export const stackSettings = {
  /** @defaultValue the account of the credentials */
  account: v.optional(v.pipe(textSetting, v.regex(/^\d{12}$/, 'must be 12 digits'))),
  /** @defaultValue the region of the credentials' profile, or `AWS_REGION` */
  region: v.optional(
    v.pipe(textSetting, v.regex(/^[a-z]{2,4}(?:-[a-z]+)+-\d$/, 'must be a region such as "eu-central-1"')),
  ),
  /** In the names of stacks that 3.0.0 deployed with it. New ones have names of their own: `shop-prod`. @defaultValue none */
  instance: v.optional(
    v.pipe(
      textSetting,
      v.regex(
        /^[a-z][a-z0-9]{0,19}$/,
        'must start with a lower-case letter, followed by at most 19 lower-case letters or digits',
      ),
    ),
  ),
};

/** The name of an environment in its account and region. @param key that in the settings */
export const nameWithInstance = (key: string, instance: string | undefined): string =>
  instance === undefined ? key : `${instance}-${key}`;

/** The settings about forms, which the function `create-contact` reads: `npm start` has those of `dev`. */
export const formSettings = {
  /** The sites whose forms submit here; others get 403. */
  sites,
  /** Settings of forms, by name. A form without an entry has the defaults. */
  forms: v.optional(v.record(nameOfForm, form, 'must be an object, as in { newsletter: { required: ["email"] } }'), {}),
  spam: v.optional(spam, {}),
  /** What happens to the fields that a contact request does not have: `keep` stores them with it. */
  extraFields: v.optional(oneOf(extraFieldsChoices), 'keep'),
  /** The required fields of forms without an entry in `forms`, and of entries without `required`. */
  required: v.optional(requiredFields, []),
  /** The names under which forms send the fields, if the service cannot tell. */
  fields: v.optional(sentFields, {}),
  /** Days after which a contact request is deleted. @defaultValue never */
  retentionDays: v.optional(retentionDays),
  /** Visitors get a confirmation by email, with the built-in words or with these. Needs a defence, and `notifications.from`. */
  confirmation: v.optional(confirmation, false),
  /** Contact requests can have files: of the forms that accept them. Needs a defence. @defaultValue none */
  files: v.optional(filesOfEnvironment),
};

/** The entries of an environment in `environments`, and its key there as `name`. */
const environmentSettings = {
  /** The key in `environments`. */
  name: v.pipe(
    textSetting,
    v.regex(
      /^[a-z][a-z0-9-]{0,29}$/,
      'must start with a lower-case letter, followed by at most 29 lower-case letters, digits or "-"',
    ),
  ),
  ...stackSettings,
  /** Tags of the stack, besides the service's own. */
  tags: v.optional(v.record(tagText(128), tagText(256), 'must be an object, as in { CostCenter: "4711" }'), {}),
  ...formSettings,
  /** The origins of pages for staff, which can call the staff endpoints with a token. */
  inboxOrigins: v.optional(inboxOrigins, []),
  /** Staff can mark, release and answer contact requests by a seventh endpoint: all who look share this. */
  triage: v.optional(flag, false),
  /** Throttles of the public endpoint and of each staff endpoint: targets, which API Gateway may exceed. */
  throttles: v.optional(settings({ public: throttle, staff: throttle }), {}),
  /** Puts a web ACL (AWS WAF) before the API, at a monthly price. */
  webAcl: v.optional(flag, false),
  /** The data outlive the stack, and stack and tables resist deletion. */
  retainData: v.optional(flag, true),
  /** The tables of a destroyed stack, instead of new ones. @defaultValue new tables */
  existingTables: v.optional(settings({ contacts: textSetting, campaigns: textSetting, tokens: textSetting })),
  logRetentionDays: v.optional(v.picklist(logRetentions, `must be one of ${logRetentions.join(', ')}`), 90),
  /** Addresses that get alarms by email; each must confirm the subscription by a link. */
  alarmEmails: v.optional(list(orToken(email)), []),
  /** A page with the headings of docs/runbook.md, to which alarms link. @defaultValue none, and they name the heading */
  runbookUrl: v.optional(orToken(runbookUrl)),
  /** Contact requests within one hour that raise the alarm contacts-flood; contacts-write-units begins at 20 KB for each. */
  contactsAlarm: v.optional(wholeNumber(1_000_000), 500),
  /** Hours without a non-spam contact request before the alarm fires; CloudWatch looks back a week. @defaultValue no alarm */
  silenceAlarm: v.optional(wholeNumber(168)),
  /** X-Ray traces requests. */
  tracing: v.optional(flag, false),
  /** The targets that are notified of each non-spam contact request. @defaultValue none */
  notifications: v.optional(notifications),
  /** The most confirmations in an hour. Above, visitors get none. */
  confirmationsPerHour: v.optional(wholeNumber(10_000), 20),
  /** Custom domains of the API. The base URL uses the last one. */
  domains: v.optional(
    distinct(domain, ({ name }) => name),
    [],
  ),
  /** API Gateway's own URL works, too: forms on live pages may still send to it. */
  defaultEndpoint: v.optional(flag, true),
};

const environmentSchema = v.pipe(
  settings(environmentSettings),
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
      [['sites'], ['inboxOrigins']],
      ({ sites, inboxOrigins }) => sites.every(({ origin }) => !inboxOrigins.includes(origin)),
      'has an origin that is also in sites: serve the inbox from an origin of its own, such as "https://inbox.example.com"',
    ),
    ['inboxOrigins'],
  ),
  v.forward(
    v.partialCheck(
      [['forms'], ['spam', 'traps']],
      ({ forms, spam: { traps } }) =>
        Object.values(forms).every(
          ({ required = [], fields = {} }) =>
            ![...required, ...Object.values(fields)].some((name) => traps.includes(name)),
        ),
      'names a trap, which visitors leave empty: remove it from required and fields',
    ),
    ['forms'],
  ),
  v.forward(
    v.partialCheck(
      [['required'], ['spam', 'traps']],
      ({ required, spam: { traps } }) => !required.some((field) => traps.includes(field)),
      ({ input }) => errorOfTrap(input.required, input.spam.traps),
    ),
    ['required'],
  ),
  v.forward(
    v.partialCheck(
      [['fields'], ['spam', 'traps']],
      ({ fields, spam: { traps } }) => !Object.values(fields).some((name) => traps.includes(name)),
      ({ input }) => errorOfTrap(Object.values(input.fields), input.spam.traps),
    ),
    ['fields'],
  ),
  v.forward(
    v.partialCheck(
      [['forms'], ['sites'], ['notifications']],
      (environment) => unknownNames(environment).length === 0,
      ({ input }) => unknownNames(input).join('; '),
    ),
    ['notifications'],
  ),
  v.forward(
    v.partialCheck(
      [['sites'], ['forms'], ['fields'], ['extraFields'], ['spam', 'traps'], ['notifications']],
      (environment) => impossibleConditions(environment).length === 0,
      ({ input }) => impossibleConditions(input).join('; '),
    ),
    ['notifications'],
  ),
  v.forward(
    v.partialCheck(
      [['confirmation'], ['forms'], ['spam'], ['notifications']],
      (environment) => errorOfConfirmation(environment) === undefined,
      ({ input }) => String(errorOfConfirmation(input)),
    ),
    ['confirmation'],
  ),
  v.forward(
    v.partialCheck(
      [['name'], ['files'], ['forms'], ['webAcl'], ['spam']],
      (environment) => errorOfFiles(environment) === undefined,
      ({ input }) => String(errorOfFiles(input)),
    ),
    ['files'],
  ),
  v.forward(
    v.partialCheck(
      [['name'], ['files'], ['forms'], ['webAcl'], ['spam']],
      (environment) => formsWithoutBucket(environment).length === 0,
      ({ input }) =>
        `has files for ${formsWithoutBucket(input).join(', ')}, but the environment stores none: add files: {} to the environment`,
    ),
    ['forms'],
  ),
  v.forward(
    v.partialCheck(
      [['files'], ['existingTables']],
      // The daily sweep deletes what no item names: with new tables, that would be everything.
      ({ files, existingTables }) => !files?.existingBucket || existingTables !== undefined,
      'existingBucket requires existingTables: the contact requests that its files belong to',
    ),
    ['files'],
  ),
  v.forward(
    v.partialCheck(
      [['domains'], ['defaultEndpoint']],
      ({ domains, defaultEndpoint }) => defaultEndpoint || domains.length > 0,
      'can be false only with domains, because otherwise no URL would work',
    ),
    ['defaultEndpoint'],
  ),
  v.transform(({ name: key, instance, ...environment }) => ({
    ...environment,
    /** The key in `environments`: the first segment of the base URL's path. */
    key,
    instance,
    /** Part of the names of the stack and the metrics. */
    name: nameWithInstance(key, instance),
  })),
);

/** The settings of one environment, as an operator writes them. */
export type EnvironmentInput = Omit<v.InferInput<typeof environmentSchema>, 'name'>;

/** The settings of one environment, parsed, with its name. */
export type Environment = v.InferOutput<typeof environmentSchema>;

/** Whether an error in a page or in a setting can mark all visitors as spam. */
export const canMarkEverything = (environment: Environment): boolean => {
  const { requireTrap, proofOfWork, captcha } = environment.spam;
  return requireTrap || proofOfWork === 'mark' || captcha !== undefined || contentOf(environment.spam) !== undefined;
};

/**
 * Whether the service counts received contact requests, as the alarms contacts-silence, contacts-all-spam and fan-out-idle need:
 * CloudWatch charges for each metric. Also while notifications are paused: pausing changes no function that visitors wait for.
 */
export const countsReceived = (environment: Environment): boolean =>
  environment.silenceAlarm !== undefined || canMarkEverything(environment) || environment.notifications !== undefined;

/** The names of all settings of an environment. */
export const settingNames: readonly string[] = Object.keys(environmentSettings).filter((name) => name !== 'name');

/** The name of an environment's stack. */
export const stackName = (environmentName: string): string => `ContactService-${environmentName}`;

/** Instead of what the rule of a setting says about a token of the CDK. */
const neededEarlier =
  'is a value that only the deployment knows (a token of the CDK), but the template depends on it: write the value itself';

/**
 * Parses the settings of all environments.
 * @throws {SettingsError} a line for each error in any of them
 */
export const parseEnvironments = (inputs: Readonly<Record<string, object>>): Environment[] => {
  const environments: Environment[] = [];
  const errors: string[] = [];
  for (const [name, input] of Object.entries(inputs)) {
    const { success, output, issues = [] } = v.safeParse(environmentSchema, { ...input, name });
    if (success) environments.push(output);
    for (const issue of issues) {
      // The name of a form can have a line break.
      const path = JSON.stringify(v.getDotPath(issue) ?? '').slice(1, -1);
      errors.push(
        `Environment "${name}": ${path === '' ? '' : `${path}: `}${isAnyToken(issue.input) ? neededEarlier : issue.message}`,
      );
    }
  }
  if (errors.length > 0) throw new SettingsError(errors.join('\n'));
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
