import type { Command } from 'commander';
import * as v from 'valibot';
import type { Actions } from './command.ts';
import { example, jsonOption } from './options.ts';

export const addTableCommands = (program: Command, { writes }: Actions): void => {
  program
    .command('tables')
    .description('Copy items from a backup or another stack')
    .command('copy')
    .description(
      'Copies missing items from a table, such as a restored backup, or from all tables of another stack. Overwrites nothing. Run it until it copies 0 items. Revoked tokens in the source work again.',
    )
    .requiredOption('--from <stack|table>', 'source in the same account and region')
    .option(...jsonOption)
    .addHelpText('after', example('tables copy --from contacts-restored --env prod'))
    .action(
      writes(v.object({ from: v.string() }), async (environment, { from }, io) => {
        const { copyTables } = await import('./copy-tables.ts');
        return copyTables(environment, from, io);
      }),
    );
};
