import assert from 'node:assert/strict';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { environments } from '../support/environments.ts';
import { postContact } from './contacts.ts';
import { withFront } from './front.ts';
import { rehearseNotifications } from './notifications.ts';
import { tryPermissions } from './permissions.ts';
import { type Receivers, sceneOf } from './scene.ts';
import type { Cast } from './steps.ts';

const environment = 'prod';
const stack = stackName(environment);

/** Deploys `prod`, with notifications, sees what arrives, and takes it down: its data stay. */
export const rehearseProd = async (cast: Cast, receivers: Receivers): Promise<void> => {
  const { operator, aws, steps } = cast;
  await aws.setSandbox(true);
  const { stageUrl, contactsTable, outputs } = await steps.run(`cdk deploy ${stack}`, () =>
    operator.deploy(stack, 'first'),
  );
  await steps.run('Deploy it once more, for its protection', () => operator.deploy(stack, 'first'));
  await withFront(stageUrl, environment, async (baseUrl) => {
    const token = await operator.issueToken(environment, 'all');
    const origin = environments.prod.sites[0]?.origin ?? '';
    const scene = sceneOf({ cast, environment, baseUrl, origin, token, outputs }, receivers);
    assert.equal(scene.targets.length, 4);
    await rehearseNotifications(scene);
    await steps.run('Let no function do more than it must', () => tryPermissions(scene));
    const { id } = await postContact(baseUrl, { email: 'visitor@example.com', message: 'To be kept' });
    await steps.run(`cdk destroy ${stack}`, () => destroy(cast, contactsTable, id));
  });
};

const destroy = async ({ operator, aws, steps }: Cast, contactsTable: string, contactId: string) => {
  const id = await aws.stackId(stack);
  await assert.rejects(operator.destroy(stack), /cannot be deleted while TerminationProtection is enabled/);
  steps.say('Refused: the stack is protected against its deletion');
  await aws.liftTerminationProtection(stack);
  await operator.destroy(stack);
  const { deleted, kept } = await aws.fates(id);
  assert.equal((await aws.tablesOf(stack)).length, 3);
  assert.ok(await aws.holdsContact(contactsTable, contactId), 'The contact request is gone');
  steps.say(`Without the protection, ${deleted} resources are deleted; what stays, with the contact request in it:`);
  for (const resource of kept) steps.say(`  ${resource}`);
};
