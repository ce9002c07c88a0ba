import { confirms } from '../infrastructure/confirmation-settings.ts';
import { type Environment, type EnvironmentInput, formSettings, parseEnvironment } from '../infrastructure/settings.ts';
import type { Settings } from '../shared/settings-file.ts';
import { ofThisMachine } from './local-environment.ts';
import type { ServerSettings } from './server-settings.ts';

/** The settings that mean something on a server of one's own. The others concern an AWS account. */
const kept: readonly string[] = [
  ...Object.keys(formSettings),
  'inboxOrigins',
  'triage',
  'webAcl',
  'retainData',
  'notifications',
  'confirmationsPerHour',
];

/** What a server serves. */
export interface ServerEnvironment {
  /** To synthesize. */
  readonly input: EnvironmentInput;
  /** All settings, parsed. */
  readonly parsed: Environment;
  /** Where its settings are, for people. */
  readonly source: string;
}

/** Whether it sends emails to anybody. */
const sendsEmails = (environment: Environment): boolean =>
  (environment.notifications?.emails ?? []).length > 0 || environment.alarmEmails.length > 0 || confirms(environment);

/**
 * The environment that a server serves: `ENVIRONMENT` of the settings file, and `INBOX_URL` as the first of its inboxes, to which
 * emails link.
 * @throws {Error} one line if there is no such environment, or it has addresses and there is no mail server
 * @throws {SettingsError} a line for each wrong setting
 */
export const serverEnvironment = (
  { file, environments }: Settings,
  { ENVIRONMENT: name, INBOX_URL: inbox, SMTP_URL }: Pick<ServerSettings, 'ENVIRONMENT' | 'INBOX_URL' | 'SMTP_URL'>,
): ServerEnvironment => {
  const written = environments[name];
  if (written === undefined) {
    throw new Error(
      `ENVIRONMENT: ${file} has no "${name}": write it there, or name one of ${Object.keys(environments).join(', ')}`,
    );
  }
  const ofFile = parseEnvironment(name, written);
  const inboxOrigins = [...new Set([...(inbox === undefined ? [] : [inbox]), ...ofFile.inboxOrigins])];
  const parsed = parseEnvironment(name, { ...written, inboxOrigins });
  if (sendsEmails(parsed) && SMTP_URL === undefined) {
    throw new Error(
      `SMTP_URL is missing, but ${name} of ${file} sends emails (notifications.emails, confirmation or alarmEmails): write SMTP_URL=smtps://user:password@mail.example.com into .env, or remove the addresses`,
    );
  }
  const ofForms = Object.fromEntries(Object.entries(written).filter(([setting]) => kept.includes(setting)));
  return {
    input: { ...ofForms, sites: parsed.sites, inboxOrigins, ...ofThisMachine },
    parsed,
    source: `${name} of ${file}`,
  };
};

/** The sender of alarms: that of notifications, or else the user of the mail server if that is an address. */
export const alarmSender = ({ notifications, alarmEmails }: Environment, user: string | undefined): string =>
  notifications?.from ?? (user?.includes('@') ? user : undefined) ?? alarmEmails[0] ?? '';
