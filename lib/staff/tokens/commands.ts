import * as v from 'valibot';
import { isExpired, type TokenRecord, tokenIdOf } from '../../../functions/tokens/token.ts';
import { duration, shownAs } from '../command-line/arguments.ts';
import { command } from '../command-line/command.ts';
import { printTable } from '../command-line/table.ts';
import type { Staff } from '../context.ts';
import { issueToken, listTokens, permissionList, revokeTokens, tokenName } from './tokens.ts';

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

export const tokenCommands = [
  command({
    name: 'tokens issue',
    does: 'Issues a token and prints it, once. Without --expires it works until it is revoked.',
    changes: true,
    entries: {
      name: tokenName,
      allow: shownAs('<permission,…|all>', permissionList),
      expires: shownAs('90d', v.optional(duration)),
    },
    run: async (staff, { name, allow, expires }) => {
      const { now, stdout, stderr } = staff;
      const token = await issueToken(tokensOf(staff), {
        name,
        permissions: allow,
        ...(expires !== undefined && { expiresAt: new Date(now.getTime() + expires) }),
        now,
      });
      stderr.write('Keep this token: it is shown this once.\n');
      stdout.write(`${token}\n`);
    },
  }),

  command({
    name: 'tokens list',
    does: 'Lists the tokens by name, with what each may do; never the tokens themselves.',
    entries: {},
    run: async (staff) => {
      const tokens = await listTokens(tokensOf(staff));
      const rows = tokens.map((token) => [
        token.name,
        tokenIdOf(token.tokenHash),
        token.permissions.join(','),
        token.createdAt,
        expiry(token, staff.now),
      ]);
      await printTable(staff, columns, [rows]);
    },
  }),

  command({
    name: 'tokens revoke',
    does: 'Revokes a token: it stops working within 60 seconds.',
    changes: true,
    positionals: ['name'],
    entries: { name: tokenName },
    run: async (staff, { name }) => {
      await revokeTokens(tokensOf(staff), name);
      staff.stdout.write(`Revoked the token "${name}": it stops working within 60 seconds.\n`);
    },
  }),
];
