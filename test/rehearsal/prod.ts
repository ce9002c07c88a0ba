import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { postContact } from './contacts.ts';
import { withFront } from './front.ts';
import type { Cast } from './steps.ts';
import { notifiedAddress } from './versions.ts';

const stack = stackName('prod');

/** Deploys `prod`, with notifications, and takes it down: its data stay. */
export const rehearseProd = async (cast: Cast): Promise<void> => {
  const { operator, steps } = cast;
  const { stageUrl, contactsTable } = await steps.run(`cdk deploy ${stack}`, () => operator.deploy(stack, 'first'));
  await withFront(stageUrl, 'prod', async (baseUrl) => {
    const { id } = await steps.run('Be told of a contact request', () => beTold(cast, baseUrl));
    await steps.run(`cdk destroy ${stack}`, () => destroy(cast, contactsTable, id));
  });
};

const beTold = async ({ emulator, steps, signal }: Cast, baseUrl: string) => {
  const contact = await postContact(baseUrl, { email: 'visitor@example.com', message: 'To be kept' });
  const isTold = async () => (await emulator.log()).includes(`email ${notifiedAddress}`);
  for (let tries = 0; tries < 40 && !(await isTold()); tries += 1) await setTimeout(500, undefined, { signal });
  assert.ok(await isTold(), `No e-mail to ${notifiedAddress}`);
  steps.say(`Table, stream, pipe, topic: an e-mail to ${notifiedAddress}`);
  return contact;
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
