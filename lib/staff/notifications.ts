import type { Command } from 'commander';
import * as v from 'valibot';
import type { Definers } from './command.ts';

const onLocal =
  'The local service supports only "notifications secret". To try notifications, send the form of the example site.';

export const addNotificationCommands = (program: Command, { reads, writes }: Definers): void => {
  const notifications = program
    .command('notifications')
    .description('Test targets, resend notifications, manage webhook secrets');

  reads(notifications, 'test', {
    description: 'Sends a sample to every target and shows the results. Exits with 1 if a target does not accept it.',
    example: 'notifications test --env prod',
    values: v.object({}),
    onLocal,
    run: async (environment) => {
      const { sendSamples } = await import('./samples.ts');
      return sendSamples(environment);
    },
  });

  writes(notifications, 'redrive', {
    description:
      'Moves all notifications from the dead-letter queue back to the queues of their targets. SQS retries each for another day.',
    example: 'notifications redrive --env prod',
    values: v.object({}),
    onLocal,
    run: async (environment, _, io) => {
      const { redrive } = await import('./redrive.ts');
      return redrive(environment, io);
    },
  });

  reads(notifications, 'secret [target]', {
    description:
      'Prints the signing secret of one webhook, or of all. For a day after a rotation, prints the former secret as well.',
    example: 'notifications secret --env prod',
    values: v.object({ target: v.optional(v.string()) }),
    run: async (environment, { target }) => {
      const { showSecrets } = await import('./secrets.ts');
      return showSecrets(environment, target);
    },
  });

  writes(notifications, 'rotate <target>', {
    description:
      'Creates a new secret for a webhook and prints it. For a day, both secrets sign, and the receiver can verify with either.',
    example: 'notifications rotate Webhook1a2b3c4d --env prod',
    values: v.object({ target: v.string() }),
    onLocal,
    run: async (environment, { target }, io) => {
      const { rotateSecret } = await import('./secrets.ts');
      return rotateSecret(environment, target, io);
    },
  });
};
