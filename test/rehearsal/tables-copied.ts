import assert from 'node:assert/strict';
import * as v from 'valibot';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { findAll, inhabit, settingsOf, testInhabited } from './inhabited.ts';
import type { Cast } from './steps.ts';

const [old, fresh] = ['old', 'fresh'];

const result = v.object({ read: v.number(), copied: v.number(), thereAlready: v.number() });

const printed = v.pipe(
  v.string(),
  v.transform((text) => text.slice(text.indexOf('\n{') + 1)),
  v.parseJson(),
  v.object({ contacts: result, campaigns: result, tokens: result }),
);

/** Copies all that an environment has into another one, whose list has fewer partitions. */
export const copyTables = async (cast: Cast): Promise<void> => {
  const { operator, steps } = cast;
  const before = await steps.run(`cdk deploy ${stackName(old)}, and fill it`, () =>
    inhabit(cast, old, { retainData: true, listShards: 10 }),
  );
  const copied = await steps.run(`Copy its tables into ${stackName(fresh)}`, async () => {
    const deployed = await operator.deploy(stackName(fresh), settingsOf(fresh, { listShards: 2 }));
    const copy = async () => {
      const { contacts, campaigns, tokens } = v.parse(
        printed,
        await operator.staff('tables', 'copy', '--from', stackName(old), '--yes', '--json', '--env', fresh),
      );
      return [contacts, campaigns, tokens].map((each) => [each.copied, each.thereAlready]);
    };
    const { contacts, campaigns } = before;
    assert.deepEqual(await copy(), [
      [contacts.length, 0],
      [campaigns.length, 0],
      [1, 0],
    ]);
    await findAll(before, deployed, fresh);
    steps.say(`${contacts.length} contact requests and the campaigns are there, and the token of ${old} works`);
    assert.deepEqual(await copy(), [
      [0, contacts.length],
      [0, campaigns.length],
      [0, 1],
    ]);
    steps.say('A second time there is nothing to do');
    return deployed;
  });
  await testInhabited(cast, before, copied, fresh);
};
