import * as v from 'valibot';
import { email, localHosts, siteOrigin, thankYouUrl, webhookUrl } from '../infrastructure/settings.ts';
import { dataDir } from './data-dir.ts';

const port = (fallback: string) =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.check(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      ({ input }) => `"${input}" is no port (0 to 65535)`,
    ),
    v.transform(Number),
  );

/** With commas between the items. */
const listOf = <Item>(item: v.GenericSchema<string, Item>) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
    v.array(item),
  );

/** Test data must not reach a receiver elsewhere. The message leaves the URL out: it may be secret. */
const localWebhook = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && localHosts.includes(new URL(text).hostname),
    'is no URL on this machine: write http:// or https:// and localhost, 127.0.0.1 or [::1], as in "http://localhost:9000/contact"',
  ),
  webhookUrl,
);

const settingsSchema = v.object({
  DATA_DIR: dataDir,
  /** Addresses that get each contact request by e-mail besides those of `dev`: as files below `DATA_DIR`. */
  NOTIFY_EMAIL: listOf(email),
  /** Gets each contact request by a signed POST. */
  NOTIFY_WEBHOOK: v.optional(localWebhook),
  /** The API's port; 0 for any that is free. */
  PORT: port('3000'),
  /** Site origins besides those of `dev` and the example site's. */
  SITE_ORIGINS: listOf(siteOrigin),
  /** The example site's port; 0 for any that is free. */
  SITE_PORT: port('8080'),
  /** The page to which the visitor of a site's plain form is redirected after a success. */
  THANK_YOU_URL: v.optional(thankYouUrl),
});

/** The local service's settings, from environment variables of the same names. */
export type LocalSettings = v.InferOutput<typeof settingsSchema>;

/** @throws {Error} one line that names the variable that is wrong */
export const readSettings = (variables: Readonly<Record<string, string | undefined>>): LocalSettings => {
  const result = v.safeParse(settingsSchema, variables);
  if (result.success) return result.output;
  throw new Error(result.issues.map((issue) => `${issue.path?.[0].key}: ${issue.message}`).join('; '));
};
