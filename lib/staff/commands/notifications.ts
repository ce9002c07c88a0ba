import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { Definers } from '../tool/command.ts';
import { idIn } from '../tool/options.ts';

const onLocal =
  'The local service supports only "notifications secret". To try notifications, send the form of the example site.';

export const addNotificationCommands = (program: Command, { reads, writes }: Definers): void => {
  const notifications = program
    .command('notifications')
    .description('Test targets, resend notifications, manage webhook secrets');

  reads(notifications, 'test', {
    description:
      'Sends a sample contact request to every target (address, webhook or chat), and shows whether each accepted it. Exits with 1 if one did not. With --for, sends nothing, but shows which targets a contact request reaches, and which condition keeps it from the others.',
    examples: [
      'notifications test --env prod',
      'notifications test --for 8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 --env prod',
    ],
    options: [
      new Option('--for <id>', 'send nothing, and show which targets the contact request with this id reaches'),
    ],
    values: v.object({ for: v.optional(idIn('contacts list')) }),
    onLocal,
    run: async (environment, { for: id }) => {
      if (id !== undefined) {
        const { showRecipients } = await import('../work/recipients.ts');
        return showRecipients(environment, id);
      }
      const { sendSamples } = await import('../work/samples.ts');
      return sendSamples(environment);
    },
  });

  writes(notifications, 'redrive', {
    description:
      'Sends failed notifications again. A notification that could not be delivered within a day waits in the dead-letter queue. Repair its target first: then the service tries for another day to deliver it.',
    examples: ['notifications redrive --env prod'],
    values: v.object({}),
    onLocal,
    run: async (environment, _, io) => {
      const { redrive } = await import('../work/redrive.ts');
      return redrive(environment, io);
    },
  });

  reads(notifications, 'secret [target]', {
    description:
      'Prints the secret of a webhook, or of all webhooks. Its receiver needs the secret to verify that requests come from this service. For a day after a rotation, prints the former secret, too, because it still signs.',
    examples: ['notifications secret --env prod'],
    values: v.object({ target: v.optional(v.string()) }),
    run: async (environment, { target }) => {
      const { showSecrets } = await import('../work/webhook-secrets.ts');
      return showSecrets(environment, target);
    },
  });

  writes(notifications, 'rotate <target>', {
    description:
      'Gives a webhook a new secret and prints it. For a day, requests are signed with both secrets, so that you have time to change the receiver. To see the names of webhooks, run "notifications secret".',
    examples: ['notifications rotate Webhook1a2b3c4d --env prod'],
    values: v.object({ target: v.string() }),
    onLocal,
    run: async (environment, { target }, io) => {
      const { rotateSecret } = await import('../work/webhook-secrets.ts');
      return rotateSecret(environment, target, io);
    },
  });
};
