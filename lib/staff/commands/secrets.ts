import type { Command } from 'commander';
import * as v from 'valibot';
import { StaffError } from '../../shared/staff-error.ts';
import type { LocalService, StaffEnvironment } from '../environment/staff-environment.ts';
import type { Definers } from '../tool/command.ts';

const onDeployed =
  'The secrets of a deployed environment are in AWS Secrets Manager: run "aws secretsmanager create-secret --name <name> --secret-string file://<file>", see docs/operation.md#store-a-secret.';

/** @throws {StaffError} on a deployed environment, for which `onDeployed` stands */
const localOf = ({ local }: StaffEnvironment): LocalService => {
  if (local) return local;
  throw new StaffError(onDeployed);
};

export const addSecretCommands = (program: Command, { reads, writes }: Definers): void => {
  const secrets = program.command('secrets').description('Store the secrets of a server of your own');

  writes(secrets, 'set <name>', {
    description:
      'Stores a secret that your settings name: the secret key of a captcha, or the URL of a chat. It is a line of the standard input, or what you type without seeing it; never an argument, because other users of the machine can read those. The service uses a new secret at once, and a changed one within five minutes.',
    examples: ['secrets set slack-url'],
    values: v.object({ name: v.string() }),
    onDeployed,
    run: async (environment, { name }, io) => {
      const { neededSecrets, saveSecret } = localOf(environment);
      const names = neededSecrets.map((needed) => needed.name);
      if (!names.includes(name)) {
        throw new StaffError(
          names.length === 0
            ? 'No setting names a secret.'
            : `No setting names the secret "${name}": choose from ${names.join(', ')}.`,
        );
      }
      const value = await io.askSecret(`${name}: `);
      if (!value) throw new StaffError('Nothing was changed: a secret needs at least one character.');
      await saveSecret(name, value);
      return { json: { name }, status: () => `Stored the secret ${name}.` };
    },
  });

  reads(secrets, 'list', {
    description:
      'Lists the secrets that your settings name, with the setting and whether the secret is stored. It shows no secret.',
    examples: ['secrets list'],
    values: v.object({}),
    onDeployed,
    run: async (environment) => {
      const { neededSecrets, readSecret } = localOf(environment);
      const all = await Promise.all(
        neededSecrets.map(async (needed) => ({ ...needed, stored: (await readSecret(needed.name)) !== undefined })),
      );
      return {
        json: [all],
        text: {
          heads: ['NAME', 'STORED', 'SETTING'],
          rows: [all.map(({ name, stored, setting }) => [name, stored ? 'yes' : 'no', setting])],
        },
        status: () => (all.length === 0 ? 'No setting names a secret.' : undefined),
      };
    },
  });
};
