import * as v from 'valibot';
import { explained, flag, json } from '../command-line/arguments.ts';
import { notificationsCommand } from '../command-line/command.ts';

export const notificationCommands = [
  notificationsCommand({
    name: 'notifications test',
    does: 'Has every address and webhook that is told of contact requests told a sample, all at once, and shows what became of each. Ends with an error when one was not told.',
    example: '--env prod',
    entries: { json },
    run: async (staff, options) => {
      const { sendSamples } = await import('./send-samples.ts');
      await sendSamples(staff, options);
    },
  }),

  notificationsCommand({
    name: 'notifications redrive',
    does: 'Sends what was given up to whom it was meant for once more, to be tried for another day, and shows how many, how often they were tried and why they failed.',
    example: '--env prod',
    changes: true,
    entries: { json },
    run: async (staff, options) => {
      const { redrive } = await import('./redrive.ts');
      await redrive(staff, options);
    },
  }),

  notificationsCommand({
    name: 'notifications secret',
    does: 'Prints the secret by which each webhook of the format standard verifies what it gets, and for a day after a rotation the one before.',
    example: '--env prod',
    entries: { json },
    run: async (staff, options) => {
      const { printSecrets } = await import('./secrets.ts');
      await printSecrets(staff, options);
    },
  }),

  notificationsCommand({
    name: 'notifications rotate',
    does: 'Makes a new secret for a webhook and prints it. The one before signs, too, for a day: for so long a receiver may verify with either.',
    example: 'Webhook1a2b3c4d --env prod',
    changes: true,
    positionals: ['target'],
    entries: {
      target: explained('The name of the webhook, as "notifications secret" shows it.', v.string()),
      force: explained('Rotates also within a day of the last time: the secret before that signs no more.', flag),
      json,
    },
    run: async (staff, { target, ...options }) => {
      const { rotateSecret } = await import('./secrets.ts');
      await rotateSecret(staff, target, options);
    },
  }),
];
