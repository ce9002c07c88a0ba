import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { Definers } from './command.ts';

export const addTableCommands = (program: Command, { writes }: Definers): void => {
  const tables = program.command('tables').description('Copy items from a backup or another stack');

  writes(tables, 'copy', {
    description:
      'Copies missing items from a table, such as a restored backup, or from all tables of another stack. Overwrites nothing. Run it until it copies 0 items. Revoked tokens in the source work again.',
    example: 'tables copy --from contacts-restored --env prod',
    options: [new Option('--from <stack|table>', 'source in the same account and region').makeOptionMandatory()],
    values: v.object({ from: v.string() }),
    run: async (environment, { from }, io) => {
      const { copyTables } = await import('./copy-tables.ts');
      return copyTables(environment, from, io);
    },
  });
};
