import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { IssuedToken } from '../../../functions/tokens/manage-tokens.ts';
import { isExpired, type TokenRecord, tokenIdOf } from '../../../functions/tokens/token.ts';
import { permissions } from '../../infrastructure/endpoints.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { printable } from '../../shared/terminal-text.ts';
import type { Definers, Result } from '../tool/command.ts';
import { sayUnreadable } from '../tool/command-io.ts';
import { duration, tokenName } from '../tool/options.ts';
import type { TextTable } from '../tool/text-table.ts';

// This module loads the SDK, which --help does not need.
const loadTokens = () => import('../../../functions/tokens/manage-tokens.ts');

const noToken = (name: string): StaffError =>
  new StaffError(`There is no token named "${name}". Run "npx --no-install crcs tokens list" to see all.`);

const choices = permissions.join(', ');

/** Permissions separated by commas, or `all`. */
const permissionList = v.pipe(
  v.string(),
  v.transform((text) => (text === 'all' ? [...permissions] : [...new Set(text.split(',').map((name) => name.trim()))])),
  v.array(
    v.picklist(
      permissions,
      ({ input }) => `Unknown permission "${input}". Use all, or a list with commas: ${choices}.`,
    ),
  ),
);

const none = v.pipe(
  v.picklist(['0h', '0d']),
  v.transform(() => 0),
);

/** How long a token works beside its successor; parsed to milliseconds. */
const grace = v.union(
  [none, duration],
  'Use whole minutes, hours, days or weeks, such as 30m, 12h, 7d or 2w, or 0h for none.',
);

/** A token's record for programs, without its hash. */
const toJson = ({ tokenHash, ...record }: TokenRecord) => ({ id: tokenIdOf(tokenHash), ...record });

/** @param more for programs */
const issuedResult = ({ token, record }: IssuedToken, more: object = {}): Result => ({
  json: { ...toJson(record), token, ...more },
  text: `${token}\n`,
});

/** When a token expires, for people. */
const expiryText = (token: TokenRecord, now: Date): string => {
  const { expiresAt = 'never' } = token;
  return isExpired(token, now) ? `expired ${expiresAt}` : expiresAt;
};

/** For a terminal: each permission has a line, and the name comes last, whole, since `tokens revoke` takes it. */
const tableForPeople = (tokens: readonly TokenRecord[], now: Date): TextTable => {
  const rows = tokens.map((token) => [
    tokenIdOf(token.tokenHash),
    token.permissions,
    // Of an expiry today, the hour matters.
    expiryText(token, now).replace(/T(\d\d:\d\d).*/, isExpired(token, now) ? '' : ' $1Z'),
    token.createdAt.slice(0, 10),
    token.name,
  ]);
  return { heads: ['ID', 'PERMISSIONS', 'EXPIRES', 'CREATED', 'NAME'], rows: [rows], isWide: true };
};

const tableForPrograms = (tokens: readonly TokenRecord[], now: Date): TextTable => {
  const rows = tokens.map((token) => [
    token.name,
    tokenIdOf(token.tokenHash),
    expiryText(token, now),
    token.createdAt,
    token.permissions.join(','),
  ]);
  return { heads: ['NAME', 'ID', 'EXPIRES', 'CREATED', 'PERMISSIONS'], rows: [rows] };
};

export const addTokenCommands = (program: Command, { reads, writes }: Definers): void => {
  const tokens = program.command('tokens').description('Manage API tokens');

  writes(tokens, 'issue', {
    description:
      'Issues a token for a script or for a person at the inbox, and prints it. Save it at once: the service keeps only its hash, so nothing can show it again. The token works until it expires or you revoke it.',
    examples: ['tokens issue --name "CRM sync" --allow contacts:read'],
    options: [
      new Option('--name <name>', 'name of the token: 1 to 100 characters').makeOptionMandatory(),
      new Option(
        '--allow <permission,…|all>',
        `permissions, separated by commas: ${choices}; or all`,
      ).makeOptionMandatory(),
      new Option(
        '--expires <duration>',
        'how long the token works, such as 12h, 90d or 26w (default: until you revoke it)',
      ),
    ],
    values: v.object({ name: tokenName, allow: permissionList, expires: v.optional(duration) }),
    run: async (environment, { name, allow, expires }, io) => {
      const { issueToken } = await loadTokens();
      const now = environment.now();
      const expiry = expires === undefined ? {} : { expiresAt: new Date(now.getTime() + expires) };
      const issued = await issueToken(environment.tables.tokens, { name, permissions: allow, ...expiry, now });
      if (issued.outcome === 'taken') {
        throw new StaffError(`There is already a token named "${name}": rotate it or choose another name.`);
      }
      io.warn('Save this token: it is shown only once.');
      return issuedResult(issued);
    },
  });

  reads(tokens, 'list', {
    description:
      'Lists the names of all tokens, with their permissions and expiry. It cannot show the tokens themselves, because the service keeps only their hashes. In logs you find a token by its id.',
    examples: ['tokens list --env prod'],
    values: v.object({}),
    run: async (environment, _, io) => {
      const { readTokens } = await loadTokens();
      const all = await readTokens(environment.tables.tokens, sayUnreadable(io, 'token'));
      const now = environment.now();
      const issue = `npx --no-install crcs tokens issue --name "CRM sync" --allow contacts:read ${environment.chosenBy}`;
      return {
        json: [all.map(toJson)],
        text: io.isTerminal ? tableForPeople(all, now) : tableForPrograms(all, now),
        status: () => (all.length === 0 ? `No tokens found. To issue one: ${issue}` : undefined),
      };
    },
  });

  writes(tokens, 'revoke <name|id>', {
    description:
      'Revokes every token with this name, or only the one with this id: it stops working within 60 seconds. To see names and ids, run "tokens list".',
    examples: ['tokens revoke "CRM sync" --env prod'],
    values: v.object({ 'name|id': tokenName }),
    run: async ({ tables }, { 'name|id': nameOrId }) => {
      const { revokeTokens } = await loadTokens();
      const revoked = await revokeTokens(tables.tokens, nameOrId);
      const [name] = revoked;
      if (name === undefined) throw noToken(nameOrId);
      const what =
        revoked.length === 1
          ? `the token "${printable(name)}". It stops`
          : `${revoked.length} tokens named "${printable(name)}". They stop`;
      return { json: { name, revoked: revoked.length }, text: `Revoked ${what} working within 60 seconds.\n` };
    },
  });

  writes(tokens, 'rotate <name>', {
    description:
      'Replaces a token by a new one with the same name, permissions and lifetime, and prints it. Save it at once, because nothing can show it again. The old token works for another day, or as long as --grace says, so that you have time to change your scripts.',
    examples: ['tokens rotate "CRM sync" --grace 7d --env prod'],
    options: [
      new Option(
        '--grace <duration>',
        'how long the old token still works, such as 12h, 7d or 2w; 0h revokes it at once',
      ).default('24h', '24h'),
    ],
    values: v.object({ name: tokenName, grace }),
    run: async (environment, { name, grace }, io) => {
      const { rotateToken } = await loadTokens();
      const rotated = await rotateToken(environment.tables.tokens, { name, grace, now: environment.now() });
      if (rotated.outcome === 'missing') throw noToken(name);
      if (rotated.outcome === 'unreadable') {
        throw new StaffError(`The token "${name}" is unreadable: revoke it and issue another.`);
      }
      const { until } = rotated;
      const end = until ? `works until ${until.toISOString()}` : 'stops working within 60 seconds';
      io.warn(`Save this token: it is shown only once. The old token ${end}.`);
      return issuedResult(rotated, until && { previousExpiresAt: until.toISOString() });
    },
  });
};
