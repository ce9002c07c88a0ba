import { isIP } from 'node:net';
import * as v from 'valibot';
import { siteOrigin } from '../infrastructure/schemas.ts';
import { didYouMean } from '../shared/nearest.ts';
import { dataDir } from './data-dir.ts';
import { networksOf } from './host/gateway/client-address.ts';
import { listOf, localVariables, parseVariables, port, type Variables } from './local-settings.ts';
import { smtpUrl } from './smtp.ts';

/** Where something is published: an origin, since visitors' URLs begin with it. */
const publicOrigin = siteOrigin;

const address = v.pipe(
  v.string(),
  v.check(
    (text) => isIP(text) !== 0,
    ({ input }) => `"${input}" is not an address to listen on, such as "127.0.0.1", or "0.0.0.0" for all`,
  ),
);

const isNetwork = (text: string) => {
  try {
    networksOf([text]);
    return true;
  } catch {
    return false;
  }
};

const network = v.pipe(
  v.string(),
  v.check(isNetwork, ({ input }) => `"${input}" is neither an address nor a network such as "10.0.0.0/8"`),
);

const variablesSchema = v.object({
  DATA_DIR: dataDir,
  /** The environment whose settings count. */
  ENVIRONMENT: v.optional(v.string(), 'prod'),
  /** The address to listen on, for the API and the inbox. */
  HOST: v.optional(address, '127.0.0.1'),
  /** The port of the inbox, and of /health; 0 for any that is free. */
  INBOX_PORT: v.optional(port, '8081'),
  /** Where people reach the inbox. @defaultValue no inbox is served */
  INBOX_URL: v.optional(publicOrigin),
  /** The API's port; 0 for any that is free. */
  PORT: v.optional(port, '3000'),
  /** Where visitors reach the API. */
  PUBLIC_URL: publicOrigin,
  /** The mail server. */
  SMTP_URL: v.optional(smtpUrl),
  /** The proxies whose `X-Forwarded-For` is believed. */
  TRUSTED_PROXY: listOf(network, '127.0.0.0/8,::1'),
});

/** The variables that `npm start` reads with `PUBLIC_URL`, by their names. */
export const serverVariables: readonly string[] = Object.keys(variablesSchema.entries);

/** The settings of a server, from environment variables of the same names. */
export type ServerSettings = v.InferOutput<typeof variablesSchema>;

/** Whether `npm start` serves visitors, and not only this machine. */
export const isServer = ({ PUBLIC_URL = '' }: Variables): boolean => PUBLIC_URL !== '';

/** What belongs into the settings file on a server. */
const onlyLocal = localVariables.filter((name) => !serverVariables.includes(name));

/** @throws {Error} one line that names the wrong variables */
export const readServerSettings = (variables: Variables): ServerSettings => {
  const given = onlyLocal.filter((name) => (variables[name] ?? '') !== '');
  if (given.length > 0) {
    throw new Error(
      `${given.join(', ')}: only for npm start without PUBLIC_URL. A server has its sites and targets from the settings file: remove ${given.length === 1 ? 'it' : 'them'} from .env`,
    );
  }
  return parseVariables(variablesSchema, variables);
};

const variableNames = [...new Set([...localVariables, ...serverVariables])];

/**
 * Others than those of `npm start` may be for the staff command or for programs of one's own, so only what looks like one of
 * its own is reported.
 * @returns a line for each name of `.env` that is nearly one of `npm start`
 */
export const misspellings = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const hint = variableNames.includes(name) ? '' : didYouMean(name, variableNames);
    return hint === '' ? [] : [`${name} in .env: unknown variable.${hint}`];
  });
