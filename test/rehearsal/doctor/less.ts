import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { projectDir } from '../command.ts';
import type { Cast } from '../steps.ts';
import { ask, othersOf } from './ask.ts';
import { roleWith } from './role.ts';

const policySchema = v.object({ Version: v.string(), Statement: v.array(v.looseObject({ Sid: v.string() })) });

/** Asks the doctor as somebody who may do what docs/doctor-policy.json says, and as somebody who may do less. */
export const askWithLess = async (cast: Cast, environment: string) => {
  const { steps } = cast;
  const policy = v.parse(
    policySchema,
    JSON.parse(await readFile(join(projectDir, 'docs', 'doctor-policy.json'), 'utf8')),
  );
  assert.deepEqual(othersOf(await ask(cast, environment, await roleWith(cast, 'doctor', policy))), []);
  steps.say('The policy of docs/doctor-policy.json is enough for it');

  const less = { ...policy, Statement: policy.Statement.filter(({ Sid }) => Sid !== 'Tables') };
  const found = othersOf(await ask(cast, environment, await roleWith(cast, 'less', less)));
  for (const action of ['DescribeTable', 'DescribeContinuousBackups', 'DescribeTimeToLive']) {
    assert.ok(
      found.some(({ what }) => what.endsWith(`these AWS credentials may not dynamodb:${action}.`)),
      `Not denied: ${action}`,
    );
  }
  steps.say('Without a statement of it, the doctor names each action that it lacks');
};
