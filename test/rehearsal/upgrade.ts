import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { sendTo } from '../acceptance/http.ts';
import { cacheDir, projectDir, run } from './command.ts';
import { listContacts } from './contacts.ts';
import { withFront } from './front.ts';
import { findAll, inhabit, settingsOf, testInhabited } from './inhabited.ts';
import { ownEnvironment } from './install-emulator.ts';
import { type Operator, operatorOf } from './operator.ts';
import type { Receiver } from './receiver.ts';
import type { Cast } from './steps.ts';

const environment = 'upgraded';
const stack = stackName(environment);

/** The tag of the newest release. Nobody ran a version before 3.0.0. */
const newestRelease = async (signal: AbortSignal): Promise<string | undefined> => {
  const tags = await run('git', ['tag', '--list', 'v*', '--sort=-version:refname'], { env: ownEnvironment, signal });
  return tags.split('\n').find((tag) => /^v([3-9]|\d{2,})\.\d+\.\d+$/.test(tag));
};

/** Clones a release and installs its packages. @returns what an operator types there */
const operatorOfRelease = async (tag: string, { emulator, signal }: Cast, { url }: Receiver): Promise<Operator> => {
  const folder = join(cacheDir, tag);
  await rm(folder, { recursive: true, force: true });
  const from = ['--quiet', '--depth', '1', '--branch', tag, `file://${projectDir}`];
  await run('git', ['clone', ...from, folder], { env: ownEnvironment, signal });
  await run('npm', ['ci'], { env: ownEnvironment, signal, cwd: folder });
  return operatorOf(emulator, url, signal, folder);
};

const postWithKey = (baseUrl: string, message: string) =>
  sendTo(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'before-the-upgrade' },
    body: JSON.stringify({ email: 'visitor@example.com', message, topic: 'Upgrade' }),
  });

/** Deploys the newest release, fills it, and deploys this version over it. */
export const rehearseUpgrade = async (cast: Cast, receiver: Receiver): Promise<void> => {
  const { operator, steps, signal } = cast;
  const tag = await newestRelease(signal);
  if (tag === undefined) return steps.notShown('upgrade: skipped, there is no tag v3.0.0 or later');

  const before = await steps.run(`Deploy ${tag}, and fill it`, async () => {
    const release = await operatorOfRelease(tag, cast, receiver);
    return inhabit({ ...cast, operator: release }, environment, {});
  });
  const { deployed, token } = before;
  const [first, contacts] = await withFront(deployed.stageUrl, environment, async (baseUrl) => [
    await postWithKey(baseUrl, 'Hello'),
    await listContacts(baseUrl, token),
  ]);
  assert.deepEqual([first.status, contacts.length], [201, before.contacts.length + 1]);

  const after = await steps.run('Deploy this version over it', async () => {
    const upgraded = await operator.deploy(stack, settingsOf(environment, {}));
    for (const output of ['BaseUrl', 'ContactsTable', 'CampaignsTable', 'TokensTable']) {
      assert.equal(upgraded.outputs[output], deployed.outputs[output], `The output ${output} changed`);
    }
    await findAll({ ...before, contacts }, upgraded, environment);
    steps.say(`The token reads all ${contacts.length} contact requests and ${before.campaigns.length} campaigns`);
    await withFront(upgraded.stageUrl, environment, async (baseUrl) => {
      const { status, headers, body } = await postWithKey(baseUrl, 'Hello');
      assert.deepEqual([status, headers.get('idempotent-replayed'), body], [201, 'true', first.body]);
      assert.equal((await postWithKey(baseUrl, 'Something else')).status, 422);
    });
    steps.say('An Idempotency-Key from before gets its first answer, and 422 with other content');
    return upgraded;
  });
  await testInhabited(cast, before, after, environment);
};
