import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { type Contact, contactList } from '../acceptance/contact.ts';
import { sendTo } from '../acceptance/http.ts';
import { addCampaigns, testBriefly } from './acceptance.ts';
import { listContacts, postContact } from './contacts.ts';
import { withFront } from './front.ts';
import type { Cast } from './steps.ts';

/** The environment by its old name and by its new one. */
const [former, latter] = ['former', 'latter'];
const [formerStack, latterStack] = [stackName(former), stackName(latter)];

const settings: EnvironmentInput = {
  sites: [{ origin: 'http://localhost:8080' }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  retainData: true,
  logRetentionDays: 7,
};

const latterSettings: EnvironmentInput = { ...settings, listShards: 3 };

const both = { [former]: settings, [latter]: latterSettings };

const campaignsOf = async (baseUrl: string, token: string): Promise<unknown> => {
  const { status, body } = await sendTo(`${baseUrl}/v1/campaigns`, { headers: { Authentication: token } });
  assert.equal(status, 200);
  return body;
};

/** Renames an environment, as docs/operation.md has it: create, copy, switch, destroy, remove. */
export const rehearseMove = async (cast: Cast): Promise<void> => {
  const { operator, aws, steps } = cast;
  const old = await steps.run(`Deploy ${formerStack}, and fill it`, () => operator.deploy(formerStack, both));
  await addCampaigns(cast, former);
  const token = await operator.issueToken(former, 'all');
  await withFront(old.stageUrl, former, async (oldUrl) => {
    const post = (email: string) => postContact(oldUrl, { email, message: 'Hello' });
    for (let number = 1; number <= 12; number += 1) await post(`visitor-${number}@example.com`);

    const created = await steps.run(`Create ${latterStack} beside it`, () => operator.deploy(latterStack, both));
    await withFront(created.stageUrl, latter, async (newUrl) => {
      const copy = () => operator.staff('tables', 'copy', '--from', formerStack, '--env', latter, '--yes');
      await steps.run('Copy its tables', async () => {
        await copy();
        assert.deepEqual(await listContacts(newUrl, token), await listContacts(oldUrl, token));
        assert.deepEqual(await campaignsOf(newUrl, token), await campaignsOf(oldUrl, token));
        steps.say(
          'The same token reads the same contact requests and campaigns, in the same order, from three partitions for one',
        );
      });

      const all = await steps.run('Switch its forms, and copy what came meanwhile', async () => {
        const late = await post('late@example.com');
        const early = await postContact(newUrl, { email: 'early@example.com', message: 'Hello' });
        const before = await listContacts(oldUrl, token);
        await copy();
        const after = await listContacts(newUrl, token);
        const ids = (contacts: readonly Contact[]) => contacts.map(({ id }) => id).toSorted();
        assert.deepEqual(ids(after), ids([...before, early]));
        assert.ok(before.some(({ id }) => id === late.id));
        steps.say(`${after.length} contact requests: those of both`);
        return after;
      });

      await steps.run('Its entry taken out too early, it can still be named', async () => {
        await operator.deploy(latterStack, { [latter]: latterSettings });
        await assert.rejects(operator.staff('contacts', 'list', '--env', former), /Unknown environment "former"/);
        const printed = await operator.staff('contacts', 'list', '--json', '--stack', formerStack);
        assert.equal(v.parse(v.pipe(v.string(), v.parseJson(), contactList), jsonIn(printed)).length, all.length - 1);
      });

      await steps.run(`Destroy ${formerStack}, then remove its entry`, async () => {
        await operator.deploy(latterStack, both);
        await aws.liftTerminationProtection(formerStack);
        await operator.destroy(formerStack);
        assert.equal((await aws.tablesOf(formerStack)).length, 3);
        await operator.deploy(latterStack, { [latter]: latterSettings });
        assert.deepEqual(await listContacts(newUrl, token), all);
        steps.say('The new one has all of it; the tables of the old one are kept');
      });
      await steps.run(`A part of the acceptance suite, against ${latter}`, () =>
        testBriefly(cast, { baseUrl: newUrl, token }),
      );
    });
  });
};

/** What a command prints, without what npm says before. */
const jsonIn = (printed: string) => printed.slice(printed.search(/^\[/m));
