import assert from 'node:assert/strict';
import { deleteContact, deploy, destroy, expectWebhook, fill, findAll, withBaseUrl } from '../deployed.ts';
import { notificationsTo } from '../settings.ts';
import type { Cast } from '../steps.ts';

const environment = 'restored';

/** Brings deleted contact requests back from a backup, then a deleted table. */
export const rehearseRestore = async (cast: Cast): Promise<void> => {
  const { operator, aws, receiver, steps } = cast;
  const settings = { notifications: notificationsTo(receiver.url) };
  const deployed = await steps.run('Deploy, and deploy again for its protection', async () => {
    await deploy(cast, environment, settings);
    return deploy(cast, environment, settings);
  });
  const stored = await steps.run('Fill it', () => fill(cast, deployed));
  const { ContactsTable: table = '' } = deployed.outputs;

  await steps.run('Copy what is missing from a restored backup', async () => {
    const copy = 'contacts-restored';
    const backup = await aws.backUp(table);
    const [one, ...others] = stored.contacts;
    const spam = others.at(-1);
    assert.ok(one && spam);
    await withBaseUrl(cast, deployed, async (baseUrl) => {
      for (const { id } of [one, spam]) await deleteContact(baseUrl, stored.token, id);
    });
    await aws.restore(backup, copy);
    await operator.staff('tables', 'copy', '--from', copy, '--env', environment);
    await findAll(cast, deployed, stored);
  });

  await steps.run('Restore a table that was deleted', async () => {
    const backup = await aws.backUp(table);
    await aws.deleteTable(table);
    await aws.restore(backup, table);
    await aws.setUpContactsTable(table);
    // Only a new event source mapping reads the stream of the restored table.
    await deploy(cast, environment, {});
    const again = await deploy(cast, environment, settings);
    await findAll(cast, again, stored);
    await expectWebhook(cast, again, stored);
    await destroy(cast, again);
  });
};
