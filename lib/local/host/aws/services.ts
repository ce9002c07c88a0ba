import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import type { StoreCalls } from '../store/store-worker.ts';
import type { Template } from '../template/template.ts';
import { createLambda } from './lambda.ts';
import { createSecretsManager } from './secrets-manager.ts';
import type { Services } from './service-server.ts';
import { createSes } from './ses.ts';
import { createSqs } from './sqs.ts';

/** What they work on. */
export interface ServiceParts {
  readonly dataDir: string;
  readonly storeCalls: StoreCalls;
  readonly invoke: Invoke;
  readonly clock: Clock;
}

/**
 * The AWS services of a template, besides DynamoDB.
 * @throws {Error} one line, when what they keep in the data directory cannot be read
 */
export const createServices = async (
  { functions, secrets, emailIdentities, queues }: Template,
  { dataDir, storeCalls, invoke, clock }: ServiceParts,
): Promise<Services> =>
  new Map([
    ['lambda', createLambda(functions, invoke)],
    ['secretsmanager', await createSecretsManager(dataDir, secrets, clock)],
    ['ses', await createSes(join(dataDir, 'mail'), emailIdentities, clock)],
    ['sqs', createSqs(queues, storeCalls, clock)],
  ]);
