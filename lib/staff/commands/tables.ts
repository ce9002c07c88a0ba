import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { Definers } from '../tool/command.ts';

export const addTableCommands = (program: Command, { writes }: Definers): void => {
  const tables = program
    .command('tables')
    .description('Copy items from a backup, another stack or a server of your own');

  writes(tables, 'copy', {
    description:
      'Copies the items that an environment lacks, from a table such as a restored backup, or from all tables of another stack or of the service on this machine, and the files of contact requests. It overwrites nothing and notifies nobody, so you can stop it and run it again. Run it until it copies 0 items. If it copies a token that you had revoked, that token works again: revoke it once more.',
    examples: ['tables copy --from contacts-restored --env prod', 'tables copy --from local --env prod'],
    options: [
      new Option(
        '--from <stack|table|local>',
        'name of the stack or table, in the same account and region; or local for the service on this machine',
      ).makeOptionMandatory(),
    ],
    values: v.object({ from: v.string() }),
    run: async (environment, { from }, io) => {
      const { copyTables } = await import('../work/copy-tables.ts');
      return copyTables(environment, from, io);
    },
  });
};
