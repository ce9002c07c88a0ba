import { onTestFinished, vi } from 'vitest';
import { openNotifications } from '../../../lib/staff/notifications/open.ts';
import { runCommand } from '../staff.ts';
import { startAws } from './aws.ts';

/** The targets of a deployed environment, by what is said of them below. */
export const targets = {
  Email1a2b3c4d: { kind: 'email', address: 'office@example.com' },
  Webhook5e6f7a8b: { kind: 'standard', address: 'https://crm.example.com/hooks/contact/…', secret: 'arn:one' },
  Webhook9c0d1e2f: { kind: 'slack', address: 'https://hooks.slack.com/services/…' },
} as const;

/** A deployed environment `dev` with such targets, and the staff command on it; it ends with the test. */
export const startNotifying = async (names: readonly (keyof typeof targets)[]) => {
  const aws = await startAws();
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await aws[Symbol.asyncDispose]();
  });
  for (const service of ['CLOUDFORMATION', 'LAMBDA', 'SQS', 'SECRETS_MANAGER']) {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, aws.url);
  }
  aws.outputs['BaseUrl'] = 'https://api.example.com';
  if (names.length > 0) aws.outputs['DeadLetters'] = aws.addQueue('dead-letters');
  for (const name of names) {
    const target = { name, ...targets[name], function: `tell-${name}`, queue: aws.addQueue(`queue-${name}`) };
    aws.outputs[`Notify${name}`] = JSON.stringify(target);
  }
  const run = (args: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
    runCommand(['notifications', ...args, '--env', 'dev'], { openNotifications, ...options });
  return { aws, run };
};
