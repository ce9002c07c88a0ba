import assert from 'node:assert/strict';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { addCampaigns, issueLimitedTokens, testAcceptance } from './acceptance.ts';
import { listContacts, postContact, postForm } from './contacts.ts';
import { withFront } from './front.ts';
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
    await steps.run('Acceptance suite', async () => {
      await addCampaigns(cast, 'dev');
      await testAcceptance(cast, { baseUrl, token, limitedTokens: await issueLimitedTokens(cast, 'dev') });
    });
    await steps.run('Deploy a changed version over it', () => deployChanged(cast, baseUrl, token));
  });
  await steps.run(`cdk destroy ${stack}`, () => destroy(cast));
};

const deployChanged = async ({ operator, steps }: Cast, baseUrl: string, token: string) => {
  for (let number = 1; number <= 25; number += 1) {
    const trap = number % 5 === 0 ? 'spam' : '';
    await postContact(baseUrl, { email: `visitor-${number}@example.com`, message: `Number ${number}`, _gotcha: trap });
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
