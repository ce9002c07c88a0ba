import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { unmetConditions } from '../../../functions/notify/conditions.ts';
import { fanOutSettings } from '../../../functions/notify/notify-settings.ts';
import { readVariables } from '../../../functions/shared/variables.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { count } from '../../shared/terminal-text.ts';
import { findTargets, type StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { findShown } from './contact-by-id.ts';

const targetSettings = v.pick(fanOutSettings, ['queues']);

/** The conditions and the queue of each target by its name, as the function `fan-out` reads them. */
const readQueues = async (environment: StaffEnvironment, FunctionName: string) => {
  const client = environment.client(LambdaClient);
  const { Environment } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));
  return new Map(Object.entries(readVariables(targetSettings, Environment?.Variables ?? {}).queues));
};

/**
 * Shows which targets a contact request reaches, and which condition of each other target it does not meet. It sends nothing.
 * @throws {StaffError} if the contact request is not shown, or the stack is too old
 */
export const showRecipients = async (environment: StaffEnvironment, id: string): Promise<Result> => {
  const { targets, fanOutFunction } = findTargets(environment);
  if (fanOutFunction === undefined) throw new StaffError('Deploy the environment again: --for needs this version.');
  const { contact } = await findShown(environment, id);
  const queues = await readQueues(environment, fanOutFunction);
  const unmet = unmetConditions(queues, contact, contact.spamReason !== undefined);
  const items = targets.map(({ name, address }) => ({
    target: name,
    to: address,
    reached: unmet.has(name) && unmet.get(name) === undefined,
    unmet: unmet.get(name),
    queue: queues.get(name)?.url,
  }));
  const reached = items.filter((item) => item.reached).length;
  const rows = items.map((item) => [
    item.target,
    item.reached ? 'yes' : `no: ${item.unmet ?? 'not deployed'}`,
    item.to,
  ]);
  return {
    json: [items],
    text: { heads: ['TARGET', 'REACHED', 'TO'], rows: [rows] },
    status: () => `It reaches ${reached} of ${count(items.length, 'target')}. Nothing was sent.`,
  };
};
