import assert from 'node:assert/strict';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { permissions } from '../acceptance/settings.ts';
import { run } from './command.ts';
import { listContacts, postContact, postForm } from './contacts.ts';
import { withFront } from './front.ts';
import { lackedCapabilities } from './lacks.ts';
import type { Cast } from './steps.ts';
import { newSite } from './versions.ts';

const stack = stackName('dev');

/** Deploys `dev`, tests it, deploys another version over it, destroys it. */
export const rehearseDev = async (cast: Cast): Promise<void> => {
  const { operator, steps } = cast;
  const { stageUrl } = await steps.run(`cdk deploy ${stack}`, () => operator.deploy(stack, 'first'));
  steps.say(stageUrl);
  await withFront(stageUrl, 'dev', async (baseUrl) => {
    const token = await steps.run('Issue a token with the staff command', () => operator.issueToken('dev', 'all'));
    await steps.run('Acceptance suite', () => testAcceptance(cast, baseUrl, token));
    await steps.run('Deploy a changed version over it', () => deployChanged(cast, baseUrl, token));
  });
  await steps.run(`cdk destroy ${stack}`, () => destroy(cast));
};

const testAcceptance = async ({ operator, emulator, steps, signal }: Cast, baseUrl: string, token: string) => {
  for (const name of ['Newsletter', 'Spring offers', 'Trade fair']) {
    await operator.staff('campaigns', 'add', name, '--env', 'dev');
  }
  const limitedTokens: string[] = [];
  for (const permission of permissions) {
    limitedTokens.push(`${permission}=${await operator.issueToken('dev', permission)}`);
  }
  const printed = await run('npm', ['run', 'test:acceptance'], {
    env: {
      ...emulator.env,
      BASE_URL: baseUrl,
      STAFF_TOKEN: token,
      LIMITED_TOKENS: limitedTokens.join(),
      LACKS: Object.keys(lackedCapabilities).join(),
    },
    signal,
    shown: true,
  });
  for (const [capability, why] of Object.entries(lackedCapabilities)) {
    const [, count] = new RegExp(`lacks ${capability}: (.*)$`, 'm').exec(printed) ?? [];
    assert.ok(count, `No test was skipped for ${capability}: does the emulator lack it?`);
    steps.notShown(`${count} of the acceptance suite (${capability}): ${why}`);
  }
};

const deployChanged = async ({ operator, steps }: Cast, baseUrl: string, token: string) => {
  for (let number = 1; number <= 25; number += 1) {
    const website = number % 5 === 0 ? 'spam' : '';
    await postContact(baseUrl, { email: `visitor-${number}@example.com`, message: `Number ${number}`, website });
  }
  assert.equal((await postForm(baseUrl, { email: 'form@example.com', message: 'A form' })).status, 201);
  const before = await listContacts(baseUrl, token);
  assert.equal(before.length, 26);
  steps.say(`${before.length} contact requests are stored`);

  await operator.deploy(stack, 'changed');

  assert.deepEqual(await listContacts(baseUrl, token), before);
  steps.say('Each is still there, unchanged');
  const answer = await postForm(baseUrl, { email: 'form@example.com', message: 'Another form' }, newSite.origin);
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, newSite.thankYouUrl]);
  steps.say('The changed version answers: a plain form leads to the thank-you page of its site');
};

const destroy = async ({ operator, aws, steps }: Cast) => {
  const id = await aws.stackId(stack);
  await operator.destroy(stack);
  const { deleted, kept } = await aws.fates(id);
  assert.deepEqual(await aws.tablesOf(stack), []);
  steps.say(`${deleted} resources are deleted, the tables too; what stays:`);
  for (const resource of kept) steps.say(`  ${resource}`);
};
