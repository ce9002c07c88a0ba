import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { Definers } from '../tool/command.ts';

export const addTableCommands = (program: Command, { writes }: Definers): void => {
  const tables = program.command('tables').description('Copy items from a backup or another stack');

  writes(tables, 'copy', {
    description:
      'Copies the items that an environment lacks, from a table such as a restored backup, or from all tables of another stack. It overwrites nothing, so you can stop it and run it again. Run it until it copies 0 items. If it copies a token that you had revoked, that token works again: revoke it once more.',
    examples: ['tables copy --from contacts-restored --env prod'],
    options: [
      new Option(
        '--from <stack|table>',
        'name of the stack or table, in the same account and region',
      ).makeOptionMandatory(),
    ],
    values: v.object({ from: v.string() }),
    run: async (environment, { from }, io) => {
      const { copyTables } = await import('../work/copy-tables.ts');
      return copyTables(environment, from, io);
    },
  });
};
