import * as v from 'valibot';
import { isExpired, type TokenRecord, tokenIdOf } from '../../../functions/tokens/token.ts';
import { duration, explained, json, shownAs } from '../command-line/arguments.ts';
import { command } from '../command-line/command.ts';
import { printJson, printJsonList } from '../command-line/json.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut } from '../tables/left-out.ts';
import { grace, permissionList, tokenName } from './arguments.ts';
import type { IssuedToken } from './tokens.ts';

// What reaches the tables takes a while to load: only a command that runs does.
const load = () => import('./tokens.ts');

const tokensOf = ({ tables }: Staff) => ({ client: tables.client, table: tables.tokens });

const expiry = (token: TokenRecord, now: Date): string =>
  token.expiresAt === undefined ? 'never' : isExpired(token, now) ? `expired ${token.expiresAt}` : token.expiresAt;

const columns = [
  { head: 'NAME', shrinks: true },
  { head: 'ID' },
  { head: 'PERMISSIONS', shrinks: true },
  { head: 'CREATED' },
  { head: 'EXPIRES' },
];

/** What a program reads of a token. */
const toJson = ({ tokenHash, ...record }: TokenRecord) => ({ id: tokenIdOf(tokenHash), ...record });

/** Prints a new token, once. */
const printToken = async (
  staff: Staff,
  { token, record }: IssuedToken,
  { json, hint, more }: { readonly json: boolean; readonly hint: string; readonly more?: object },
) => {
  staff.stderr.write(`Keep this token: it is shown this once.${hint}\n`);
  if (json) await printJson(staff, { ...toJson(record), token, ...more });
  else staff.stdout.write(`${token}\n`);
};

export const tokenCommands = [
  command({
    name: 'tokens issue',
    does: 'Issues a token and prints it, once. Without --expires it works until it is revoked.',
    example: '--name "CRM sync" --allow contacts:read --env prod',
    changes: true,
    entries: {
      name: tokenName,
      allow: permissionList,
      expires: explained('How long it works, such as 12h, 90d or 26w.', shownAs('90d', v.optional(duration))),
      json,
    },
    run: async (staff, { name, allow, expires, json }) => {
      const { issueToken } = await load();
      const { now } = staff;
      const issued = await issueToken(tokensOf(staff), {
        name,
        permissions: allow,
        ...(expires !== undefined && { expiresAt: new Date(now.getTime() + expires) }),
        now,
      });
      await printToken(staff, issued, { json, hint: '' });
    },
  }),

  command({
    name: 'tokens list',
    does: 'Lists the tokens by name, with what each may do; never the tokens themselves.',
    example: '--json --env prod',
    entries: { json },
    run: async (staff, { json }) => {
      const { listTokens } = await load();
      const tokens = await listTokens(tokensOf(staff), sayLeftOut(staff, 'token'));
      if (json) return printJsonList(staff, [tokens.map(toJson)]);
      const { printTable } = await import('../command-line/table.ts');
      const rows = tokens.map((token) => [
        token.name,
        tokenIdOf(token.tokenHash),
        token.permissions.join(','),
        token.createdAt,
        expiry(token, staff.now),
      ]);
      return printTable(staff, columns, [rows]);
    },
  }),

  command({
    name: 'tokens rotate',
    does: 'Issues a token in the place of the one of that name, with its permissions and for as long, and prints it, once. The one before goes on working for the grace.',
    example: '"CRM sync" --grace 7d --env prod',
    changes: true,
    positionals: ['name'],
    entries: { name: tokenName, grace, json },
    run: async (staff, { name, grace, json }) => {
      const { rotateToken } = await load();
      const { until, ...issued } = await rotateToken(tokensOf(staff), { name, grace, now: staff.now });
      const previous = until?.toISOString();
      await printToken(staff, issued, {
        json,
        hint: ` The one before ${previous === undefined ? 'stops working within 60 seconds' : `works until ${previous}`}.`,
        ...(previous !== undefined && { more: { previousExpiresAt: previous } }),
      });
    },
  }),

  command({
    name: 'tokens revoke',
    does: 'Revokes every token of that name: they stop working within 60 seconds.',
    example: '"CRM sync" --env prod',
    changes: true,
    positionals: ['name'],
    entries: { name: tokenName, json },
    run: async (staff, { name, json }) => {
      const { revokeTokens } = await load();
      const revoked = await revokeTokens(tokensOf(staff), name);
      if (json) return printJson(staff, { name, revoked });
      const what = revoked === 1 ? `the token "${name}": it stops` : `${revoked} tokens "${name}": they stop`;
      staff.stdout.write(`Revoked ${what} working within 60 seconds.\n`);
    },
  }),
];
