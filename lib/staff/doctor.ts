import type { Command } from 'commander';
import * as v from 'valibot';
import type { Actions } from './command.ts';
import { example, jsonOption } from './options.ts';

const onLocal = 'The doctor checks only deployed environments. Name one, as in "npx crcs doctor --env prod".';

export const addDoctorCommand = (program: Command, { reads }: Actions): void => {
  program
    .command('doctor')
    .summary('Check a deployed environment for faults')
    .description(
      'Checks a deployed environment for faults that no alarm reports, and shows how to repair each. Changes nothing. Exits with 1 if it finds a fault.',
    )
    .option(...jsonOption)
    .addHelpText('after', example('doctor --env prod'))
    .action(
      reads(
        v.object({}),
        async (environment) => {
          const { examine } = await import('./doctor-checks.ts');
          return examine(environment);
        },
        { onLocal },
      ),
    );
};
