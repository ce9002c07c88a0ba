import assert from 'node:assert/strict';
import * as v from 'valibot';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { type Contact, contactList } from '../acceptance/contact.ts';
import { listContacts, postContact } from './contacts.ts';
import { withFront } from './front.ts';
import { findAll, inhabit, settingsOf, testInhabited } from './inhabited.ts';
import type { Cast } from './steps.ts';

/** The environment by its old name and by its new one. */
const [former, latter] = ['former', 'latter'];
const [formerStack, latterStack] = [stackName(former), stackName(latter)];

const formerSettings = { retainData: true };
const latterOnly = settingsOf(latter, { retainData: true });
const both = { ...settingsOf(former, formerSettings), ...latterOnly };

/** Renames an environment, as docs/operation.md has it: create, copy, switch, destroy, remove. */
export const rehearseMove = async (cast: Cast): Promise<void> => {
  const { operator, aws, steps } = cast;
  const before = await steps.run(`Deploy ${formerStack}, and fill it`, () => inhabit(cast, former, formerSettings));
  const { token } = before;
  await withFront(before.deployed.stageUrl, former, async (oldUrl) => {
    const created = await steps.run(`Create ${latterStack} beside it`, () => operator.deploy(latterStack, both));
    await withFront(created.stageUrl, latter, async (newUrl) => {
      const copy = () => operator.staff('tables', 'copy', '--from', formerStack, '--env', latter);
      await steps.run('Copy its tables', async () => {
        await copy();
        await findAll(before, created, latter);
        steps.say('The same token reads the same contact requests and campaigns, in the same order');
      });

      const all = await steps.run('Switch its forms, and copy what came meanwhile', async () => {
        const late = await postContact(oldUrl, { email: 'late@example.com', message: 'Hello' });
        const early = await postContact(newUrl, { email: 'early@example.com', message: 'Hello' });
        await copy();
        const after = await listContacts(newUrl, token);
        const ids = (contacts: readonly Contact[]) => contacts.map(({ id }) => id).toSorted();
        assert.deepEqual(ids(after), ids([...before.contacts, late, early]));
        steps.say(`${after.length} contact requests: those of both`);
        return after;
      });

      await steps.run('Its entry taken out too early, it can still be named', async () => {
        await operator.deploy(latterStack, latterOnly);
        await assert.rejects(operator.staff('contacts', 'list', '--env', former), /Unknown environment "former"/);
        const printed = await operator.staff('contacts', 'list', '--json', '--stack', formerStack);
        const listed = v.parse(v.pipe(v.string(), v.parseJson(), contactList), jsonIn(printed));
        assert.ok(listed.some(({ email }) => email === 'late@example.com'));
      });

      await steps.run(`Destroy ${formerStack}, then remove its entry`, async () => {
        await operator.deploy(latterStack, both);
        await aws.liftTerminationProtection(formerStack);
        await operator.destroy(formerStack);
        assert.equal((await aws.tablesOf(formerStack)).length, 3);
        await operator.deploy(latterStack, latterOnly);
        assert.deepEqual(await listContacts(newUrl, token), all);
        steps.say('The new one has all of it; the tables of the old one are kept');
      });
      await testInhabited(cast, before, created, latter);
    });
  });
};

/** The JSON in what a command prints, besides what it says on standard error. */
const jsonIn = (printed: string) => printed.slice(printed.search(/^\[/m));
