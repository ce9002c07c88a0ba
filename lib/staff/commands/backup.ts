import type { Command } from 'commander';
import * as v from 'valibot';
import type { Definers } from '../tool/command.ts';

export const addBackupCommand = (program: Command, { reads }: Definers): void => {
  reads(program, 'backup <file>', {
    summary: 'Back up the service on this machine',
    hasJson: false,
    description:
      'Writes all data of the service on this machine into one new file, while it runs or not: contact requests, campaigns, tokens, waiting notifications, files and secrets. It has all that the service had confirmed before. To restore it, stop the service and unpack the file with tar into an empty data folder.',
    examples: ['backup /var/backups/contact-service.tar'],
    values: v.object({ file: v.string() }),
    onDeployed:
      'AWS backs up the tables of a deployed environment, see docs/restore.md. This command is for the service on this machine.',
    run: async (environment, { file }) => {
      const { backUpTo } = await import('../work/back-up.ts');
      return backUpTo(environment, file);
    },
  });
};
