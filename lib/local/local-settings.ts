import * as v from 'valibot';
import { email, localHosts, siteOrigin, thankYouUrl, webhookUrl } from '../infrastructure/schemas.ts';
import { dataDir } from './data-dir.ts';

const lastPort = 65_535;

/** The number of a port. */
export const port = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d{1,5}$/.test(text) && Number(text) <= lastPort,
    ({ input }) => `"${input}" is not a port (0 to ${lastPort})`,
  ),
  v.transform(Number),
);

/** A list with commas between the items. */
export const listOf = <Item>(item: v.GenericSchema<string, Item>, byDefault = '') =>
  v.pipe(
    v.optional(v.string(), byDefault),
    v.transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
    v.array(item),
  );

/** Test data must not leave this machine. The message does not show the URL, which may be secret. */
const localWebhook = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && localHosts.includes(new URL(text).hostname),
    'is not a URL on this machine: write http:// or https:// with localhost, 127.0.0.1 or [::1], as in "http://127.0.0.1:9000/contact"',
  ),
  webhookUrl,
);

const variablesSchema = v.object({
  DATA_DIR: dataDir,
  /** The inbox's port; 0 for any that is free. @defaultValue the one after the example site's */
  INBOX_PORT: v.optional(port),
  /** Email addresses to notify besides those of `dev`. Emails are files below `DATA_DIR`. */
  NOTIFY_EMAIL: listOf(email),
  /** The URL of a webhook to notify. */
  NOTIFY_WEBHOOK: v.optional(localWebhook),
  /** The API's port; 0 for any that is free. */
  PORT: v.optional(port, '3000'),
  /** Origins of sites besides those of `dev` and the example site. */
  SITE_ORIGINS: listOf(siteOrigin),
  /** The example site's port; 0 for any that is free. */
  SITE_PORT: v.optional(port, '8080'),
  /** The success page of every site. */
  THANK_YOU_URL: v.optional(thankYouUrl),
});

/** The variables that `npm start` reads without `PUBLIC_URL`, by their names. */
export const localVariables: readonly string[] = Object.keys(variablesSchema.entries);

/** A free port remains any free port, and none follows the last. */
const portAfter = (other: number) => (other === 0 || other === lastPort ? 0 : other + 1);

const settingsSchema = v.pipe(
  variablesSchema,
  v.transform((settings) => ({ ...settings, INBOX_PORT: settings.INBOX_PORT ?? portAfter(settings.SITE_PORT) })),
);

/** The local service's settings, from environment variables of the same names. */
export type LocalSettings = v.InferOutput<typeof settingsSchema>;

/** Variables of the environment, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** @throws {Error} one line that names the wrong variables */
export const parseVariables = <Output>(schema: v.GenericSchema<unknown, Output>, variables: Variables): Output => {
  const result = v.safeParse(schema, variables);
  if (result.success) return result.output;
  throw new Error(result.issues.map((issue) => `${v.getDotPath(issue)?.split('.')[0]}: ${issue.message}`).join('; '));
};

/** @throws {Error} one line that names the wrong variables */
export const readSettings = (variables: Variables): LocalSettings => parseVariables(settingsSchema, variables);
