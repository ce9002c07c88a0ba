import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sendTo } from '../../acceptance/http.ts';
import { projectDir, run } from '../../support/command.ts';
import { listContacts } from '../contacts.ts';
import { deploy, destroy, fill, findAll, testDeployed, withBaseUrl } from '../deployed.ts';
import { ownEnvironment } from '../emulator.ts';
import { type Operator, operatorOf } from '../operator.ts';
import { cacheDir } from '../settings.ts';
import type { Cast } from '../steps.ts';

const environment = 'upgraded';

/** The tag of the newest release. Nobody ran a version before 3.0.0. */
const newestRelease = async (signal: AbortSignal): Promise<string | undefined> => {
  const tags = await run('git', ['tag', '--list', 'v*', '--sort=-version:refname'], { env: ownEnvironment, signal });
  return tags.split('\n').find((tag) => /^v([3-9]|\d{2,})\.\d+\.\d+$/.test(tag));
};

/** Clones a release and installs its packages. @returns an operator who works with it */
const operatorOfRelease = async (tag: string, { emulator, signal }: Cast): Promise<Operator> => {
  const folder = join(cacheDir, tag);
  await rm(folder, { recursive: true, force: true });
  const from = ['--quiet', '--depth', '1', '--branch', tag, `file://${projectDir}`];
  await run('git', ['clone', ...from, folder], { env: ownEnvironment, signal });
  await run('npm', ['ci'], { env: ownEnvironment, signal, cwd: folder });
  return operatorOf(emulator, signal, folder);
};

const postWithKey = (baseUrl: string, message: string) =>
  sendTo(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'before-the-upgrade' },
    body: JSON.stringify({ email: 'visitor@example.com', message, topic: 'Upgrade' }),
  });

/** Deploys the newest release, fills it, and deploys this version over it. */
export const rehearseUpgrade = async (cast: Cast): Promise<void> => {
  const { steps, signal } = cast;
  const tag = await newestRelease(signal);
  if (tag === undefined) return steps.notShown('an upgrade: there is no tag v3.0.0 or later');

  const before = await steps.run(`Deploy ${tag}, and fill it`, async () => {
    const castOfRelease = { ...cast, operator: await operatorOfRelease(tag, cast) };
    const deployed = await deploy(castOfRelease, environment, {});
    const { token, campaigns } = await fill(castOfRelease, deployed);
    return withBaseUrl(cast, deployed, async (baseUrl) => {
      const { body } = await postWithKey(baseUrl, 'Hello');
      return { deployed, body, token, campaigns, contacts: await listContacts(baseUrl, token) };
    });
  });

  const after = await steps.run('Deploy this version over it', async () => {
    const upgraded = await deploy(cast, environment, {});
    for (const output of ['BaseUrl', 'ContactsTable', 'CampaignsTable', 'TokensTable']) {
      assert.equal(upgraded.outputs[output], before.deployed.outputs[output], `The output ${output} changed`);
    }
    await findAll(cast, upgraded, before);
    await withBaseUrl(cast, upgraded, async (baseUrl) => {
      const { headers, body } = await postWithKey(baseUrl, 'Hello');
      const { success: _, ...contact } = Object(body);
      assert.deepEqual([headers.get('idempotent-replayed'), contact], ['true', before.body]);
      assert.equal((await postWithKey(baseUrl, 'Something else')).status, 422);
    });
    steps.say('An Idempotency-Key from before gets its first response, and 422 with other content');
    return upgraded;
  });
  await testDeployed(cast, after, before);
  await steps.run('cdk destroy', () => destroy(cast, after));
};
