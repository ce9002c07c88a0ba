import assert from 'node:assert/strict';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { findAll, inhabit, postOneMore, settingsOf, testInhabited } from './inhabited.ts';
import { withReceiver } from './receiver.ts';
import type { Cast } from './steps.ts';
import { until } from './until.ts';

const environment = 'come-back';
const stack = stackName(environment);

/** Destroys an environment, whose tables stay, and deploys it again with them. */
export const comeBack = (cast: Cast): Promise<void> =>
  withReceiver(async ({ url, received }) => {
    const { operator, aws, steps, signal } = cast;
    const settings = { retainData: true, notifications: { webhooks: [{ url }] } };
    const before = await steps.run(`cdk deploy ${stack}, and fill it`, () => inhabit(cast, environment, settings));
    const {
      ContactsTable: contacts = '',
      CampaignsTable: campaigns = '',
      TokensTable: tokens = '',
    } = before.deployed.outputs;
    const existingTables = { contacts, campaigns, tokens };

    await steps.run(`cdk destroy ${stack}`, async () => {
      await aws.liftTerminationProtection(stack);
      await operator.destroy(stack);
      assert.deepEqual((await aws.tablesOf(stack)).sort(), [contacts, campaigns, tokens].sort());
      steps.say('Its three tables stay');
    });

    await steps.run('Deploy it again without --import-existing-resources', async () => {
      const again = operator.deploy(stack, settingsOf(environment, { ...settings, existingTables }));
      await assert.rejects(again, /already exists/);
      assert.equal(await aws.countItems(contacts), before.contacts.length);
      steps.say('Refused: the tables are there. They stay as they are');
      await aws.liftTerminationProtection(stack);
    });

    const earlier = received.length;
    await steps.run('Deploy it again with its tables, and notifications paused', async () => {
      const paused = { ...settings, existingTables, notifications: { ...settings.notifications, paused: true } };
      const again = await operator.deploy(stack, settingsOf(environment, paused), '--import-existing-resources');
      await findAll(before, again, environment);
      steps.say(`${before.contacts.length} contact requests and the campaigns are there, and the token works`);
      assert.equal(received.length, earlier);
    });

    const again = await steps.run('Resume notifications', async () => {
      const resumed = settingsOf(environment, { ...settings, existingTables });
      const again = await operator.deploy(stack, resumed);
      const { id } = await postOneMore(again, environment);
      await until(`${id} at the receiver`, () => received.slice(earlier).find(({ body }) => body.includes(id)), signal);
      steps.say('A new contact request arrives');
      return again;
    });
    await testInhabited(cast, before, again, environment);
  });
