import * as v from 'valibot';
import { formName, maxFormName } from '../../functions/forms/form.ts';
import { cleanText, type Parsed } from '../../functions/shared/text.ts';
import { didYouMean } from '../shared/nearest.ts';
import { isToken } from './cdk-token.ts';

/**
 * An object of settings. It names every unknown setting: `v.strictObject` would name only the first, and skip the checks that
 * follow.
 */
export const settings = <const Entries extends v.ObjectEntries>(
  entries: Entries,
  example = '',
): v.GenericSchema<
  v.InferInput<v.ObjectSchema<Entries, undefined>>,
  v.InferOutput<v.ObjectSchema<Entries, undefined>>
> =>
  v.pipe(
    v.looseObject(entries, ({ received }) =>
      received === 'undefined' ? 'is required' : `must be an object${example}`,
    ),
    v.rawCheck(({ dataset: { value: input }, addIssue }) => {
      if (typeof input !== 'object' || input === null) return;
      for (const [key, value] of Object.entries(input)) {
        if (Object.hasOwn(entries, key)) continue;
        addIssue({
          message: `unknown setting.${didYouMean(key, Object.keys(entries))}`.replace(/\.$/, ''),
          path: [{ type: 'object', origin: 'key', input: { ...input }, key, value }],
        });
      }
    }),
  );

export const textSetting = v.string('must be a string');

/**
 * A text that may also be a token of the CDK, so that an app can pass what another of its constructs makes. Only for settings of
 * which no id, no permission and no decision at synthesis depends on the content.
 */
export const orToken = (schema: v.GenericSchema<string, string>) =>
  v.lazy((input) => (isToken(input) ? textSetting : schema));

export const flag = v.boolean('must be true or false');

/** An email address. */
export const email = v.pipe(
  textSetting,
  v.email(({ input }) => `"${input}" is not an email address`),
);

/** A list without duplicates. @param nameOf names an item in the error, which must not show a secret */
export const distinct = <const Item extends v.GenericSchema>(
  item: Item,
  keyOf: (item: v.InferOutput<Item>) => string,
  { example = '', duplicate = 'remove one', nameOf = keyOf } = {},
) => {
  const repeated = (items: readonly v.InferOutput<Item>[]) =>
    items.filter((each, at) => items.slice(0, at).some((earlier) => keyOf(earlier) === keyOf(each)));
  return v.pipe(
    v.array(item, `must be a list${example}`),
    v.check(
      (items) => repeated(items).length === 0,
      ({ input }) => `has a duplicate, "${repeated(input).map(nameOf)[0]}": ${duplicate}`,
    ),
  );
};

/** A list of strings without duplicates; upper and lower case are the same. */
export const list = <const Item extends v.GenericSchema<unknown, string>>(item: Item) =>
  distinct(item, (each) => each.toLowerCase());

/** At least one of several names. */
export const names = <const Item extends v.GenericSchema<unknown, string>>(item: Item, example: string) =>
  v.pipe(
    distinct(item, (each) => each, { example: `, as in ["${example}"]` }),
    v.nonEmpty('is empty: add a name, or remove this setting'),
  );

export const wholeNumber = (max: number, min = 1) => {
  const message = `must be a whole number from ${min} to ${max.toLocaleString('en')}`;
  return v.pipe(
    v.number(message),
    v.check((value) => Number.isInteger(value) && value >= min && value <= max, message),
  );
};

export const oneOf = <const Texts extends readonly string[]>(texts: Texts) =>
  v.picklist(texts, `must be one of ${texts.map((each) => `"${each}"`).join(', ')}`);

/** A string for which `errorOf` finds nothing wrong. Of a token, nobody can know. */
export const checked = (errorOf: (value: string) => string | undefined) =>
  v.pipe(
    textSetting,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const message = isToken(dataset.value) ? 'must be written here' : errorOf(dataset.value);
      if (message !== undefined) addIssue({ message });
    }),
  );

/** The host names of this machine in URLs. */
export const localHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const parseUrl = (value: string): URL | undefined => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
};

const isInsecure = ({ protocol, hostname }: URL) => protocol === 'http:' && !localHosts.includes(hostname);

export const insecure = 'must begin with https:// (http:// is for localhost only)';

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
  textSetting,
  v.check(
    (value) => parseUrl(value) !== undefined,
    ({ input }) => `"${input}" is not an absolute URL, such as "https://www.example.com/thank-you"`,
  ),
  // Percent-encoded, since it goes into a header.
  v.transform((value) => new URL(value).href),
);

/** A page to whose URL alarms append the heading that they mean. */
export const runbookUrl = v.pipe(
  textSetting,
  v.check(
    (value) => parseUrl(value) !== undefined && !value.includes('#'),
    ({ input }) => `"${input}" is not an absolute URL without "#", such as "https://wiki.example.com/runbook"`,
  ),
  v.transform((value) => new URL(value).href),
);

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

/**
 * The name of a secret in Secrets Manager that an operator stored.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
 */
export const secretName = (value: string) =>
  v.pipe(
    v.string(`must be the name of a secret in Secrets Manager that holds ${value}`),
    v.regex(/^[\w/+=.@-]{1,512}$/, ({ input }) =>
      input.startsWith('arn:')
        ? "is an ARN: write the secret's name"
        : `is not the name of a secret: store ${value} in Secrets Manager, and write the name of that secret`,
    ),
  );

/**
 * What is wrong with a name that the service would read as another one, or as none. It shows control characters escaped.
 * @param rule that of the functions
 * @param max the most characters that the rule allows
 */
export const errorOfName =
  (what: string, rule: (name: string) => Parsed<string, unknown>, max: number) => (value: string) => {
    const parsed = rule(value);
    const isKept = 'value' in parsed && parsed.value.normalize('NFC') === value.normalize('NFC');
    if (isKept && value !== '' && value === value.trim()) return undefined;
    return `${JSON.stringify(value)} is not the name of a ${what}: use 1 to ${max} characters, without control characters, and without spaces at either end`;
  };

/** The name of a form, as the service stores it. */
export const nameOfForm = v.pipe(checked(errorOfName('form', formName, maxFormName)), v.transform(cleanText));
