import assert from 'node:assert/strict';
import type { EnvironmentInput } from '../../../lib/infrastructure/settings.ts';
import { listContacts } from '../contacts.ts';
import {
  type Deployed,
  deploy,
  destroy,
  expectWebhook,
  fill,
  findAll,
  type Stored,
  testDeployed,
  withBaseUrl,
} from '../deployed.ts';
import { targetsIn } from '../notifications.ts';
import { operatorOf } from '../operator.ts';
import { type Cast, comes } from '../steps.ts';
import { checkOldest, fillOldest, type Place, settingsOfThen } from './oldest-data.ts';
import { checkOutOldestRelease } from './oldest-release.ts';

const environment = 'upgraded';

/** Settings that both versions understand. */
const settingsTo = (receiver: string): Partial<EnvironmentInput> => ({
  ...settingsOfThen,
  instance: 'shop',
  notifications: { webhooks: [{ url: `${receiver}/signed` }] },
});

/** Works in the environment, as users of the cast's version do. */
const inPlace = <Result>(
  cast: Cast,
  deployed: Deployed,
  { token }: Pick<Stored, 'token'>,
  use: (place: Place) => Promise<Result>,
): Promise<Result> =>
  withBaseUrl(cast, deployed, (baseUrl) =>
    use({ baseUrl, token, staff: (...args) => cast.operator.staff(...args, '--env', environment) }),
  );

/** Waits for a webhook about a contact request. `earlier`: how many webhooks came before and do not count. */
const notifiedBy =
  (cast: Cast) =>
  (id: string, earlier = 0) =>
    comes(cast, `a webhook about ${id}`, async () =>
      (await cast.receiver.received()).slice(earlier).find(({ body }) => body.includes(id)),
    );

/** Deploys 4.0.0, fills it, and deploys this version over it. */
export const rehearseUpgrade = async (cast: Cast): Promise<void> => {
  const { aws, receiver, signal, steps } = cast;
  const folder = await checkOutOldestRelease(cast);
  if (folder === undefined) return;
  const castOfThen = { ...cast, operator: operatorOf(cast.cloud, signal, { cwd: folder }) };
  const settings = settingsTo(receiver.url);
  const notified = notifiedBy(cast);

  const before = await steps.run('Deploy 4.0.0, and fill it, while its webhook fails', async () => {
    const deployed = await deploy(castOfThen, environment, settings);
    // A second between two tries.
    const [{ queue } = { queue: '' }] = targetsIn(deployed.outputs);
    const asBefore = await aws.giveUpAfter(queue, 960);
    await receiver.respondWith(500);
    const stored = await fill(castOfThen, deployed);
    const data = await inPlace(castOfThen, deployed, stored, fillOldest);
    await notified(data.responseTo('topics').id);
    return { deployed, stored, data, asBefore };
  });
  const { deployed, stored, data } = before;

  const upgraded = await steps.run('Deploy this version over it', async () => {
    // Between `git pull` and `cdk deploy`, a token can need to be revoked.
    const printed = await cast.operator.staff('contacts', 'list', '--env', environment);
    assert.ok(printed.includes(data.responseTo('topics').id), printed);
    const again = await deploy(cast, environment, settings);
    // Tables, base URL, queues and secrets: CloudFormation replaced none.
    const { NextStep: _, Settings: __, ...lasting } = deployed.outputs;
    for (const [name, value] of Object.entries(lasting)) {
      assert.equal(again.outputs[name], value, `The output ${name} changed`);
    }
    return again;
  });
  await steps.run('Deliver what 4.0.0 could not', async () => {
    const earlier = (await receiver.received()).length;
    await receiver.respondWith(204);
    await notified(data.responseTo('topics').id, earlier);
    await notified(data.responseTo('released').id, earlier);
    await before.asBefore();
  });
  await steps.run('Work with what 4.0.0 stored', async () => {
    await findAll(cast, upgraded, { ...stored, contacts: data.contacts });
    await inPlace(cast, upgraded, stored, (place) => checkOldest(place, data, notified));
    await expectWebhook(cast, upgraded, stored);
  });
  await testDeployed(cast, upgraded, stored);
  await steps.run('Roll back to 4.0.0', async () => {
    const idsNow = () =>
      withBaseUrl(cast, upgraded, async (baseUrl) => (await listContacts(baseUrl, stored.token)).map(({ id }) => id));
    const ids = await idsNow();
    await deploy(castOfThen, environment, settings);
    assert.deepEqual(await idsNow(), ids);
  });
  await steps.run('cdk destroy', () => destroy(cast, upgraded));
};
