import type { Command } from 'commander';
import * as v from 'valibot';
import type { Actions } from './command.ts';
import { example, flag, jsonOption } from './options.ts';

const onLocal = 'The doctor is for deployed environments: name one, as in "npx crcs doctor --env prod".';

export const addDoctorCommand = (program: Command, { reads }: Actions): void => {
  program
    .command('doctor')
    .description(
      'Finds faults of a deployed environment that no alarm can see, and says how to repair each. It changes nothing. Exits with 1 if it finds a fault.',
    )
    .option(...jsonOption)
    .addHelpText('after', example('doctor --env prod'))
    .action(
      reads(
        v.object({ json: flag }),
        async (staff, { json }) => {
          const { examine } = await import('./doctor-checks.ts');
          await examine(staff, json);
        },
        { onLocal },
      ),
    );
};
