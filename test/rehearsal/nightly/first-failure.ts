import assert from 'node:assert/strict';
import { deploy, fill, findAll } from '../deployed.ts';
import { region } from '../emulator.ts';
import type { Cast } from '../steps.ts';

const environment = 'trial';
const stack = `ContactService-${environment}`;

/** There is no such zone. CloudFormation finds out after it has created the tables. */
const wrongZone = {
  name: 'contact.example.com',
  certificateArn: `arn:aws:acm:${region}:000000000000:certificate/6a1e2c5e-0000-4000-8000-000000000000`,
  hostedZone: { id: 'ZWRONG', name: 'example.com' },
};

/** A first deployment fails, and is repeated. Then losing its data is refused until the operator confirms it. */
export const rehearseFirstFailure = async (cast: Cast): Promise<void> => {
  const { operator, aws, steps } = cast;
  await steps.run('A first deployment fails, and leaves nothing behind', async () => {
    // Twice: the second one finds what the first one left behind.
    for (const _ of ['first', 'second']) {
      await assert.rejects(deploy(cast, environment, { domains: [wrongZone] }), /No hosted zone/);
      assert.deepEqual(await aws.stateOf(stack), { status: 'ROLLBACK_COMPLETE', isProtected: false });
      assert.deepEqual(await aws.tablesOf(stack), []);
    }
  });

  await steps.run('Repeated, it succeeds, and the next deployment protects it', async () => {
    const first = await deploy(cast, environment, {});
    assert.match(first.outputs['NextStep'] ?? '', /Deploy once more/);
    const stored = await fill(cast, first);
    const second = await deploy(cast, environment, {});
    assert.equal(second.outputs['NextStep'], undefined);
    await findAll(cast, second, stored);
    assert.deepEqual(await aws.stateOf(stack), { status: 'UPDATE_COMPLETE', isProtected: true });
    for (const table of await aws.tablesOf(stack)) assert.ok(await aws.isProtected(table), `${table} is not protected`);
  });

  await steps.run('Losing the data is refused until it is confirmed', async () => {
    const unkept = { retainData: false };
    const confirmation = `confirm=${environment}.retainData`;
    await assert.rejects(deploy(cast, environment, unkept), new RegExp(`FATAL .*-c ${confirmation} `));
    assert.deepEqual(await aws.stateOf(stack), { status: 'UPDATE_COMPLETE', isProtected: true });
    await deploy(cast, environment, unkept, '-c', confirmation);
    await operator.destroy(stack);
    assert.deepEqual(await aws.tablesOf(stack), []);
    steps.say('After a confirmation the stack has no protection: destroyed, it takes its tables with it');
  });
};
