import type { Command } from 'commander';
import * as v from 'valibot';
import type { Definers } from '../tool/command.ts';

const onLocal =
  'The local service never stops confirmations. Name a deployed environment, as in "npx --no-install crcs confirmations resume --env prod".';

export const addConfirmationCommands = (program: Command, { writes }: Definers): void => {
  const confirmations = program.command('confirmations').description('Turn confirmations to visitors on again');

  writes(confirmations, 'resume', {
    description:
      'Turns confirmations on again, after too many bounced or were marked as spam, and an alarm stopped them. First find out why (docs/runbook.md#confirmation-bounces). Contact requests that came meanwhile get none.',
    examples: ['confirmations resume --env prod'],
    values: v.object({}),
    onLocal,
    run: async (environment) => {
      const { resumeConfirmations } = await import('../work/resume-confirmations.ts');
      return resumeConfirmations(environment);
    },
  });
};
