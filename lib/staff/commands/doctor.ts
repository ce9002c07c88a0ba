import type { Command } from 'commander';
import * as v from 'valibot';
import type { Definers } from '../tool/command.ts';

const onLocal =
  'The doctor checks only deployed environments. Name one, as in "npx --no-install crcs doctor --env prod".';

export const addDoctorCommand = (program: Command, { reads }: Definers): void => {
  reads(program, 'doctor', {
    summary: 'Check a deployed environment for problems',
    description:
      'Checks a deployed environment for problems that no alarm reports, and says how to repair each. It changes nothing. It exits with 1 if it finds a problem, so you can run it in a daily job.',
    examples: ['doctor --env prod'],
    values: v.object({}),
    onLocal,
    run: async (environment, _, io) => {
      const { examine } = await import('../work/doctor-checks.ts');
      return examine(environment, io);
    },
  });
};
