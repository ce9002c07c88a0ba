import type { Command } from 'commander';
import * as v from 'valibot';
import type { Actions } from './command.ts';
import { example, jsonOption } from './options.ts';

const onLocal =
  'The local service supports only "notifications secret". To try notifications, send the form of the example site.';

export const addNotificationCommands = (program: Command, { reads, writes }: Actions): void => {
  const notifications = program
    .command('notifications')
    .description('Test targets, resend notifications, manage webhook secrets');

  notifications
    .command('test')
    .description('Sends a sample to every target and shows the results. Exits with 1 if a target does not accept it.')
    .option(...jsonOption)
    .addHelpText('after', example('notifications test --env prod'))
    .action(
      reads(
        v.object({}),
        async (environment) => {
          const { sendSamples } = await import('./samples.ts');
          return sendSamples(environment);
        },
        { onLocal },
      ),
    );

  notifications
    .command('redrive')
    .description(
      'Moves all notifications from the dead-letter queue back to the queues of their targets. SQS retries each for another day.',
    )
    .option(...jsonOption)
    .addHelpText('after', example('notifications redrive --env prod'))
    .action(
      writes(
        v.object({}),
        async (environment, _, io) => {
          const { redrive } = await import('./redrive.ts');
          return redrive(environment, io);
        },
        { onLocal },
      ),
    );

  notifications
    .command('secret [target]')
    .description(
      'Prints the signing secret of one webhook, or of all. For a day after a rotation, prints the former secret as well.',
    )
    .option(...jsonOption)
    .addHelpText('after', example('notifications secret --env prod'))
    .action(
      reads(v.object({ target: v.optional(v.string()) }), async (environment, { target }) => {
        const { showSecrets } = await import('./secrets.ts');
        return showSecrets(environment, target);
      }),
    );

  notifications
    .command('rotate <target>')
    .description(
      'Creates a new secret for a webhook and prints it. For a day, both secrets sign, and the receiver can verify with either.',
    )
    .option(...jsonOption)
    .addHelpText('after', example('notifications rotate Webhook1a2b3c4d --env prod'))
    .action(
      writes(
        v.object({ target: v.string() }),
        async (environment, { target }, io) => {
          const { rotateSecret } = await import('./secrets.ts');
          return rotateSecret(environment, target, io);
        },
        { onLocal },
      ),
    );
};
