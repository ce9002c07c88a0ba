import * as v from 'valibot';
import { explained, flag, json } from '../command-line/arguments.ts';
import { notificationsCommand } from '../command-line/command.ts';

export const notificationCommands = [
  notificationsCommand({
    name: 'notifications test',
    does: 'Sends a sample to every target at once and shows the results. Exits with 1 if a target did not get it.',
    example: '--env prod',
    deployedOnly: true,
    entries: { json },
    run: async (staff, options) => {
      const { sendSamples } = await import('./samples.ts');
      await sendSamples(staff, options);
    },
  }),

  notificationsCommand({
    name: 'notifications redrive',
    does: 'Moves all notifications from the dead-letter queue back to the queues of their targets. SQS then tries each for another day.',
    example: '--env prod',
    changes: true,
    deployedOnly: true,
    entries: { json },
    run: async (staff, options) => {
      const { redrive } = await import('./redrive.ts');
      await redrive(staff, options);
    },
  }),

  notificationsCommand({
    name: 'notifications secret',
    does: 'Prints the secret that signs each webhook and, for a day after a rotation, the former one.',
    example: '--env prod',
    positionals: ['target'],
    entries: {
      target: explained('The name of one webhook; the default is all.', v.optional(v.string())),
      json,
    },
    run: async (staff, options) => {
      const { printSecrets } = await import('./secrets.ts');
      await printSecrets(staff, options);
    },
  }),

  notificationsCommand({
    name: 'notifications rotate',
    does: 'Makes a new secret for a webhook and prints it. For a day, the former secret signs, too, so that the receiver may verify with either.',
    example: 'Webhook1a2b3c4d --env prod',
    changes: true,
    deployedOnly: true,
    positionals: ['target'],
    entries: {
      target: explained('The name of the webhook, as "notifications secret" shows it.', v.string()),
      force: explained('Rotates even within a day of the last rotation: the secret before that no longer signs.', flag),
      json,
    },
    run: async (staff, options) => {
      const { rotateSecret } = await import('./secrets.ts');
      await rotateSecret(staff, options);
    },
  }),
];
