import assert from 'node:assert/strict';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import { postContact } from './contacts.ts';
import { withFront } from './front.ts';
import type { Cast } from './steps.ts';

const environment = 'trial';
const stack = stackName(environment);

const settings: EnvironmentInput = {
  sites: [{ origin: 'http://localhost:8080' }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  retainData: true,
  logRetentionDays: 7,
};

/** There is no such zone. CloudFormation finds out after it has created the tables. */
const wrongZone: EnvironmentInput = {
  ...settings,
  domains: [
    {
      name: 'contact.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/6a1e2c5e-0000-4000-8000-000000000000',
      hostedZone: { id: 'ZWRONG', name: 'example.com' },
    },
  ],
};

/** A first deployment fails, and is repeated. Then losing its data is refused until the operator confirms it. */
export const rehearseFirstFailure = async (cast: Cast): Promise<void> => {
  const { steps } = cast;
  await steps.run('A first deployment fails, and leaves nothing behind', () => fail(cast));
  await steps.run('Repeated, it succeeds, and the next deployment protects it', () => repeat(cast));
  await steps.run('Losing the data is refused until it is confirmed', () => beRefused(cast));
};

const fail = async ({ operator, aws, steps }: Cast) => {
  // Twice: the second one finds what the first one left behind.
  for (const _ of ['first', 'second']) {
    await assert.rejects(operator.deploy(stack, { [environment]: wrongZone }), /No hosted zone/);
    assert.deepEqual(await aws.stateOf(stack), { status: 'ROLLBACK_COMPLETE', isProtected: false });
    assert.deepEqual(await aws.tablesOf(stack), []);
  }
  steps.say('Twice with a zone that does not exist: no table is left, and the stack can be deleted');
};

const repeat = async ({ operator, aws, steps }: Cast) => {
  const first = await operator.deploy(stack, { [environment]: settings });
  assert.deepEqual(await aws.stateOf(stack), { status: 'CREATE_COMPLETE', isProtected: false });
  const { NextStep = '' } = first.outputs;
  assert.match(NextStep, /Deploy once more/);
  await withFront(first.stageUrl, environment, async (baseUrl) => {
    const { id } = await postContact(baseUrl, { email: 'visitor@example.com', message: 'Is it there?' });
    const { contactsTable, outputs } = await operator.deploy(stack, { [environment]: settings });
    assert.equal(outputs['NextStep'], undefined);
    assert.equal(contactsTable, first.contactsTable);
    assert.ok(await aws.holdsContact(contactsTable, id));
  });
  assert.deepEqual(await aws.stateOf(stack), { status: 'UPDATE_COMPLETE', isProtected: true });
  for (const table of await aws.tablesOf(stack)) assert.ok(await aws.isProtected(table), `${table} is not protected`);
  steps.say('Stack and tables resist deletion, and have the earlier data');
};

const beRefused = async ({ operator, aws, steps }: Cast) => {
  const unkept = { [environment]: { ...settings, retainData: false } };
  const confirmation = new RegExp(`FATAL .*-c confirm=${environment}\\.retainData `);
  await assert.rejects(operator.deploy(stack, unkept), confirmation);
  await assert.rejects(operator.destroy(stack), /TerminationProtection is enabled/);
  assert.deepEqual(await aws.stateOf(stack), { status: 'UPDATE_COMPLETE', isProtected: true });

  await operator.deploy(stack, unkept, '-c', `confirm=${environment}.retainData`);
  assert.equal((await aws.stateOf(stack)).isProtected, false);
  await operator.destroy(stack);
  assert.deepEqual(await aws.tablesOf(stack), []);
  steps.say('After a confirmation the stack has no protection: destroyed, it takes its tables with it');
};
