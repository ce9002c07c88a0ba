import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as v from 'valibot';
import { CommandError, run } from '../command.ts';
import type { Cast } from '../steps.ts';

const finding = v.object({ check: v.string(), what: v.string(), severity: v.string(), remedy: v.string() });

const report = v.pipe(v.string(), v.parseJson(), v.object({ findings: v.array(finding) }));

export type Finding = v.InferOutput<typeof finding>;

/**
 * Asks the doctor.
 * @param variables of its environment, besides
 */
export const ask = async (
  { operator, signal }: Cast,
  environment: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<readonly Finding[]> => {
  const alone = `${operator.env['NODE_OPTIONS']} --require="${join(import.meta.dirname, 'alone.cjs')}"`;
  const args = ['run', 'staff', '--', 'doctor', '--env', environment, '--json'];
  const printed = await run('npm', args, { env: { ...operator.env, NODE_OPTIONS: alone, ...variables }, signal }).catch(
    (error: unknown) => {
      // Something is wrong; what it is stands there, too.
      if (error instanceof CommandError) return error.message;
      throw error;
    },
  );
  const line = printed.split('\n').find((each) => each.startsWith('{"environment"'));
  assert.ok(line, `The doctor said: ${printed}`);
  return v.parse(report, line).findings;
};

/** What is wrong of every stack in the emulator, and stays so. */
export const lasting: readonly (readonly [check: string, what: RegExp, why: string])[] = [
  ['base URLs', /execute-api.* its name has no address/, 'its API has no name in DNS'],
  [
    'drift',
    /^AWS::SecretsManager::Secret \w+ was deleted/,
    'it knows the secret by its ARN, and looks for its name (emulator.py)',
  ],
];

const isLasting = ({ check, what }: Finding) => lasting.some(([of, pattern]) => of === check && pattern.test(what));

export const othersOf = (findings: readonly Finding[]) => findings.filter((each) => !isLasting(each));
