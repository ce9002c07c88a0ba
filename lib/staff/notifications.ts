import type { Command } from 'commander';
import * as v from 'valibot';
import type { Actions } from './command.ts';
import { example, flag, jsonOption } from './options.ts';

const onLocal =
  'The local service supports only "notifications secret". To try notifications, send the form of the example site.';

const options = v.object({ json: flag });

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
        options,
        async (staff, { json }) => {
          const { sendSamples } = await import('./samples.ts');
          await sendSamples(staff, json);
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
        options,
        async (staff, { json }) => {
          const { redrive } = await import('./redrive.ts');
          await redrive(staff, json);
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
      reads(v.object({ target: v.optional(v.string()), json: flag }), async (staff, { target, json }) => {
        const { printSecrets } = await import('./secrets.ts');
        await printSecrets(staff, target, json);
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
        v.object({ target: v.string(), json: flag }),
        async (staff, { target, json }) => {
          const { rotateSecret } = await import('./secrets.ts');
          await rotateSecret(staff, target, json);
        },
        { onLocal },
      ),
    );
};
