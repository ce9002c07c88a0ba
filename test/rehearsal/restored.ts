import assert from 'node:assert/strict';
import * as v from 'valibot';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { findAll, inhabit, postOneMore, settingsOf, takeAway, testInhabited } from './inhabited.ts';
import { withReceiver } from './receiver.ts';
import { hour } from './scene.ts';
import type { Cast } from './steps.ts';
import { until } from './until.ts';

const environment = 'restored';
const stack = stackName(environment);
const restored = 'contacts-restored';

const copied = v.pipe(
  v.string(),
  v.transform((printed) => printed.slice(printed.indexOf('\n{') + 1)),
  v.parseJson(),
  v.object({ contacts: v.looseObject({ read: v.number(), copied: v.number() }) }),
);

/** Brings deleted contact requests back from a backup, then a deleted table: what is old triggers no notification. */
export const restore = (cast: Cast): Promise<void> =>
  withReceiver(async ({ url, received }) => {
    const { operator, aws, emulator, steps, signal } = cast;
    const settings = { retainData: true, notifications: { webhooks: [{ url }] } };
    const before = await steps.run(`cdk deploy ${stack}, and fill it`, () => inhabit(cast, environment, settings));
    const { deployed, contacts } = before;
    const { contactsTable } = deployed;

    /** Posts another, which alone arrives, and takes it away. A notification of an earlier one would come before it. */
    const expectOneMore = async (what: string) => {
      const earlier = received.length;
      const more = await postOneMore(deployed, environment);
      const since = () => received.slice(earlier).map(({ body }) => body.includes(more.id));
      await until(`${more.id} at the receiver`, () => since().includes(true) || undefined, signal);
      assert.deepEqual(since(), [true]);
      await takeAway(before, deployed, environment, more);
      steps.say(what);
    };

    await steps.run('Restore a backup, and copy what is missing', async () => {
      // All but the spam.
      const expected = 9;
      await until(`${expected} webhooks`, () => received.length >= expected || undefined, signal);
      const backup = await aws.backUp(contactsTable);
      await emulator.moveClock(2 * hour);
      const [one, , spam] = contacts.filter((_, index) => index % 4 === 0);
      assert.ok(one && spam);
      for (const contact of [one, spam]) await takeAway(before, deployed, environment, contact);
      await aws.restore(backup, restored);

      const copy = async () =>
        v.parse(copied, await operator.staff('tables', 'copy', '--from', restored, '--json', '--env', environment))
          .contacts;
      const result = await copy();
      assert.deepEqual([result.read, result.copied], [contacts.length, 2]);
      assert.equal((await copy()).copied, 0);
      await findAll(before, deployed, environment);
      steps.say(`Of ${result.read} contact requests ${result.copied} had gone, spam too: all are there again`);
      await expectOneMore('These trigger no notification, and a new one does');
      await aws.deleteTable(restored);
    });

    await steps.run('Restore a table that was deleted', async () => {
      const backup = await aws.backUp(contactsTable);
      await aws.deleteTable(contactsTable);
      await aws.restore(backup, contactsTable);
      await aws.setUpContactsTable(contactsTable);
      // The mapping holds on to the stream that is gone: only another one reads the new stream.
      await operator.deploy(stack, settingsOf(environment, { ...settings, notifications: undefined }));
      await operator.deploy(stack, settingsOf(environment, settings));
      await findAll(before, deployed, environment);
      steps.say('Under its old name, with its data; queues and secrets are new');
      await expectOneMore('By its new stream a new contact request arrives, and no old one');
    });
    await testInhabited(cast, before, deployed, environment);
  });
