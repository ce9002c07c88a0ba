import assert from 'node:assert/strict';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { environments } from '../support/environments.ts';
import { arrivalsAt, targetsIn } from './arrivals.ts';
import { postContact } from './contacts.ts';
import { withFront } from './front.ts';
import { doNoMore } from './permissions.ts';
import type { Receiver } from './receiver.ts';
import type { Scene } from './scene.ts';
import type { Cast } from './steps.ts';
import { sendAgain } from './told-again.ts';
import { tellOfForm } from './told-form.ts';
import { missNothing } from './told-later.ts';
import { logNobody } from './told-log.ts';
import { tellWhatIsToBeTold } from './told-or-not.ts';
import { changeSecret } from './told-secret.ts';
import { measureTelling } from './told-speed.ts';

const environment = 'prod';
const stack = stackName(environment);

/** Who gets what is told by POST. */
export interface Receivers {
  readonly standard: Receiver;
  readonly slack: Receiver;
}

/** Deploys `prod`, with notifications, sees who is told of what, and takes it down: its data stay. */
export const rehearseProd = async (cast: Cast, receivers: Receivers): Promise<void> => {
  const { emulator, operator, aws, steps, signal } = cast;
  await aws.setSandbox(true);
  const { stageUrl, contactsTable, outputs } = await steps.run(`cdk deploy ${stack}`, () =>
    operator.deploy(stack, 'first'),
  );
  await steps.run('Deploy it once more, for its protection', () => operator.deploy(stack, 'first'));
  await withFront(stageUrl, environment, async (baseUrl) => {
    const token = await operator.issueToken(environment, 'all');
    const targets = targetsIn(outputs);
    assert.equal(targets.length, 4);
    const scene: Scene = {
      cast,
      environment,
      baseUrl,
      origin: environments.prod.sites[0]?.origin ?? '',
      token,
      targets,
      outputs,
      receiver: receivers.standard,
      arrivals: arrivalsAt(emulator, receivers, targets, signal),
    };
    await steps.run('Be told of a form by mail, webhook and Slack', () => tellOfForm(scene));
    await steps.run('Be told of no spam, and of nothing that is gone', () => tellWhatIsToBeTold(scene));
    await steps.run('Measure beside an environment that tells nobody', async () => {
      const silent = await operator.deploy(stackName('staging'), 'first');
      await withFront(silent.stageUrl, 'staging', (silentUrl) => measureTelling(scene, silentUrl));
    });
    await steps.run('Send again what was given up', () => sendAgain(scene));
    await steps.run('Miss nothing in an hour', () => missNothing(scene));
    await steps.run('Change the secret of the webhook', () => changeSecret(scene));
    await steps.run('Let no function do more', () => doNoMore(scene));
    await steps.run('Find nobody in the logs', () => logNobody(scene));
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
