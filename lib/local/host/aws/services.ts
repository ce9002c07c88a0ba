import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Template } from '../template/template.ts';
import { createSes } from './mail.ts';
import { createSecretsManager } from './secrets.ts';
import type { ServiceCall } from './service-server.ts';
import { createSqs, type SendMessage } from './sqs.ts';

/** What the services work on. */
export interface ServiceParts {
  readonly dataDir: string;
  readonly sendMessage: SendMessage;
  readonly clock: Clock;
}

/**
 * The AWS services of a template, as far as its functions use them.
 * @throws {Error} one line, when the secrets in the data directory cannot be read
 */
export const createServices = async (
  { secrets, emailIdentities, queues }: Pick<Template, 'secrets' | 'emailIdentities' | 'queues'>,
  parts: ServiceParts,
): Promise<ReadonlyMap<string, ServiceCall>> =>
  new Map([
    ['secretsmanager', await createSecretsManager(parts.dataDir, secrets, parts.clock)],
    ['ses', await createSes(join(parts.dataDir, 'mail'), emailIdentities, parts.clock)],
    ['sqs', createSqs(queues, parts.sendMessage, parts.clock)],
  ]);
