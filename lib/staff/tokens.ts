import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { isExpired, type TokenRecord, tokenIdOf } from '../../functions/tokens/token.ts';
import { permissions } from '../infrastructure/endpoints.ts';
import type { Actions, Staff } from './command.ts';
import { duration, example, flag, jsonOption, tokenName } from './options.ts';
import { printJson, printJsonList, sayUnreadable } from './output.ts';
import { printable } from './text.ts';
import type { IssuedToken } from './token-table.ts';

// It loads the SDK, which --help does not need.
const load = () => import('./token-table.ts');

const tableOf = ({ environment }: Staff) => ({ client: environment.dynamodb, table: environment.tables.tokens });

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

const printToken = async (
  staff: Staff,
  { token, record }: IssuedToken,
  { json, hint = '', more }: { readonly json: boolean; readonly hint?: string; readonly more?: object },
): Promise<void> => {
  staff.stderr.write(`Save this token: it is shown only once.${hint}\n`);
  if (json) await printJson(staff, { ...toJson(record), token, ...more });
  else staff.stdout.write(`${token}\n`);
};

const listTokens = async (staff: Staff, json: boolean): Promise<void> => {
  const { listTokens } = await load();
  const tokens = await listTokens(tableOf(staff), sayUnreadable(staff, 'token'));
  if (json) return printJsonList(staff, [tokens.map(toJson)]);
  const { printTable } = await import('./print-table.ts');
  const now = staff.environment.now();
  const rows = tokens.map((token) => {
    const { name, tokenHash, permissions, createdAt, expiresAt = 'never' } = token;
    const expiry = isExpired(token, now) ? `expired ${expiresAt}` : expiresAt;
    return [name, tokenIdOf(tokenHash), expiry, createdAt, permissions.join(',')];
  });
  return printTable(staff, ['NAME', 'ID', 'EXPIRES', 'CREATED', 'PERMISSIONS'], [rows]);
};

export const addTokenCommands = (program: Command, { reads, writes }: Actions): void => {
  const tokens = program.command('tokens').description('Manage API tokens');

  tokens
    .command('issue')
    .description('Issues a token and prints it once. The token works until it expires or is revoked.')
    .requiredOption('--name <name>', 'name of the token: 1 to 100 characters')
    .requiredOption('--allow <permission,…|all>', `permissions, separated by commas: ${choices}; or all`)
    .option('--expires <duration>', 'lifetime, such as 12h, 90d or 26w (default: forever)')
    .option(...jsonOption)
    .addHelpText('after', example('tokens issue --name "CRM sync" --allow contacts:read --env prod'))
    .action(
      writes(
        v.object({ name: tokenName, allow: permissionList, expires: v.optional(duration), json: flag }),
        async (staff, { name, allow, expires, json }) => {
          const { issueToken } = await load();
          const now = staff.environment.now();
          const expiry = expires === undefined ? {} : { expiresAt: new Date(now.getTime() + expires) };
          await printToken(staff, await issueToken(tableOf(staff), { name, permissions: allow, ...expiry, now }), {
            json,
          });
        },
      ),
    );

  tokens
    .command('list')
    .description('Lists the names, permissions and expiry of all tokens, but not the tokens themselves.')
    .option(...jsonOption)
    .addHelpText('after', example('tokens list --json --env prod'))
    .action(reads(v.object({ json: flag }), (staff, { json }) => listTokens(staff, json)));

  tokens
    .command('revoke <name>')
    .description('Revokes every token with that name. They stop working within 60 seconds.')
    .option(...jsonOption)
    .addHelpText('after', example('tokens revoke "CRM sync" --env prod'))
    .action(
      writes(v.object({ name: tokenName, json: flag }), async (staff, { name, json }) => {
        const { revokeTokens } = await load();
        const revoked = await revokeTokens(tableOf(staff), name);
        if (json) return printJson(staff, { name, revoked });
        const what =
          revoked === 1
            ? `the token "${printable(name)}". It stops`
            : `${revoked} tokens named "${printable(name)}". They stop`;
        staff.stdout.write(`Revoked ${what} working within 60 seconds.\n`);
      }),
    );

  tokens
    .command('rotate <name>')
    .description(
      'Issues a new token with the name, permissions and lifetime of an existing token, and prints it once. The old token keeps working for the grace period.',
    )
    .addOption(
      new Option(
        '--grace <duration>',
        'how long the old token keeps working, such as 12h, 7d or 2w; 0h revokes it at once',
      ).default('24h', '24h'),
    )
    .option(...jsonOption)
    .addHelpText('after', example('tokens rotate "CRM sync" --grace 7d --env prod'))
    .action(
      writes(v.object({ name: tokenName, grace, json: flag }), async (staff, { name, grace, json }) => {
        const { rotateToken } = await load();
        const now = staff.environment.now();
        const { until, ...issued } = await rotateToken(tableOf(staff), { name, grace, now });
        const previous = until?.toISOString();
        await printToken(staff, issued, {
          json,
          hint: ` The old token ${previous === undefined ? 'stops working within 60 seconds' : `works until ${previous}`}.`,
          ...(previous !== undefined && { more: { previousExpiresAt: previous } }),
        });
      }),
    );
};
