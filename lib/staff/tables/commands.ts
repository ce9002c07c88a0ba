import * as v from 'valibot';
import { stackSettings } from '../../infrastructure/settings.ts';
import { explained, flag, json, shownAs } from '../command-line/arguments.ts';
import { command } from '../command-line/command.ts';
import { kindNames } from './copy/kinds.ts';

export const tableCommands = [
  command({
    name: 'tables copy',
    does: 'Copies what another table or stack of this service has and the environment has not: one that was kept when its stack was destroyed, was restored from a backup, or is to be moved. What is there stays as it is. Then compares each item. Asks first, but with --yes; stopped half-way, the same again does the rest.',
    example: '--from contacts-restored --table contacts --env prod',
    changes: true,
    entries: {
      from: explained(
        'A stack, whose three tables are copied; with --table, a table.',
        shownAs('<stack|table>', v.pipe(v.string(), v.nonEmpty('Name a stack, or a table with --table.'))),
      ),
      table: explained(
        'What the table holds that --from names.',
        shownAs(kindNames.join('|'), v.optional(v.picklist(kindNames, `Use ${kindNames.join(', ')}.`))),
      ),
      'from-region': explained(
        'Where the stack or the table is, when that is another region.',
        shownAs('<region>', stackSettings.region),
      ),
      yes: explained('Copies without a question.', flag),
      json,
    },
    run: async (staff, { from: name, table: kind, 'from-region': region, ...options }) => {
      const { copyTables } = await import('./copy/copy.ts');
      await copyTables(staff, { name, kind, region, ...options });
    },
  }),
];
