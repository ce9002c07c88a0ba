import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { vi } from 'vitest';
import { startRelay } from '../support/relay.ts';
import type { DeployedEnvironment } from './deployed.ts';

const policy = v.strictObject({
  Version: v.literal('2012-10-17'),
  Statement: v.array(
    v.strictObject({
      Sid: v.string(),
      Effect: v.literal('Allow'),
      Action: v.array(v.string()),
      Resource: v.array(v.string()),
    }),
  ),
});

/** The statements of a policy in docs/. */
export const statementsIn = (file: string) => v.parse(policy, JSON.parse(readFileSync(file, 'utf8'))).Statement;

/** The actions of AWS that are called meanwhile, each once. */
export const actionsDuring = async (
  { asked }: Pick<DeployedEnvironment, 'asked'>,
  act: () => Promise<unknown>,
): Promise<string[]> => {
  await using relay = await startRelay({
    before: async (operation) => void asked.push([`dynamodb:${operation}`, {}]),
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', relay.url);
  await act();
  return [...new Set(asked.map(([action]) => action))].toSorted();
};
