import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stackName } from '../../../lib/infrastructure/stack-name.ts';
import { testAcceptance } from '../acceptance.ts';
import { arrivalsAt, targetsIn } from '../arrivals.ts';
import { projectDir } from '../command.ts';
import { postContact } from '../contacts.ts';
import { ask, othersOf } from '../doctor/ask.ts';
import { operatorOf } from '../operator.ts';
import { minute } from '../scene.ts';
import { mailed } from '../versions.ts';
import { firstSettings, type Year } from './home.ts';
import { layOut, notLaidOut } from './previous.ts';
import { begin, send } from './under-way.ts';

const version = '2.0.0';

/** Resources of which `cdk diff` may not say that they are or may be replaced: docs/operation.md, "Upgrade to another version". */
const replaced = /^\[.\] AWS::(?:DynamoDB::GlobalTable|ApiGateway::RestApi) .*(?:replace|destroy|orphan)/m;

const changed = /^\[~\] AWS::DynamoDB::GlobalTable \S+ \S+$/m;

/** Whoever writes notes on upgrading from another version is to rehearse them. */
const seeNotes = async () => {
  const changelog = await readFile(join(projectDir, 'CHANGELOG.md'), 'utf8');
  const [, newest] = /^### Upgrading from (\S+)$/m.exec(changelog) ?? [];
  assert.equal(newest, version, 'CHANGELOG.md has notes that test/rehearsal/year/upgrade.ts does not rehearse');
};

/** Deploys the version before, with data, and this one over it, as the notes in CHANGELOG.md have it; then back, and again. */
export const upgrade = async ({ cast, home, receivers }: Year): Promise<void> => {
  const { aws, emulator, operator, steps, signal } = cast;
  const { standard, slack } = receivers;
  await seeNotes();
  const previous = await steps.run(`Lay out ${version}`, () => layOut(version, signal));
  if (!previous) return steps.notShown(notLaidOut(version));
  const formerly = operatorOf(emulator, { standard: standard.url, slack: slack.url }, signal, previous);
  const silent = { ...firstSettings, listShards: 10 };
  const webhooks = [{ url: standard.url }, { url: slack.url, format: 'slack' as const }];
  const settings = { ...silent, silenceAlarm: 24, notifications: { from: mailed.from, emails: mailed.to, webhooks } };
  const post = (message: string) =>
    home.visit((baseUrl) => postContact(baseUrl, { email: 'visitor@example.com', message }));
  const seeClass = async (expected: string) =>
    assert.equal(await aws.classOf(home.outputs['ContactsTable'] ?? ''), expected);

  await steps.run(`Deploy ${version}, and fill it`, () => home.settle(settings, formerly));
  const arrivals = arrivalsAt(emulator, receivers, targetsIn(home.outputs), signal);
  const goOn = await steps.run('Send with keys, read first pages, and let a receiver go away', async () => {
    const underWay = await home.visit(begin);
    await arrivals.rest();
    await standard.leave();
    await arrivals.elsewhere(await post('Told by another version'));
    await home.takeStock();
    await seeClass('STANDARD');
    assert.ok(home.outputs['Dashboard']);
    return underWay;
  });

  await steps.run('Look what this version would change', async () => {
    const printed = await operator.diff(stackName('prod'), { prod: settings });
    assert.match(printed, changed);
    assert.doesNotMatch(printed, replaced);
    assert.match(printed, /^\[-\] AWS::CloudWatch::Dashboard .* destroy$/m);
    steps.say('cdk diff: a table is changed, the dashboard is destroyed; no table is replaced, nor the API');
    steps.notShown(
      'what a change set says would be replaced, by which cdk diff goes on AWS: the emulator does not know it of tables (services/cloudformation/provisioners.py, _property_recreation)',
    );
  });

  await steps.run('Deploy this version over it', async () => {
    const end = new AbortController();
    // A single request may fail while a function changes: docs/operation.md, "Upgrade to another version".
    const visit = async (baseUrl: string) => {
      const ask = async () => (await send(baseUrl, 'of-every-field')).status;
      let [served, again] = [0, 0];
      for (; !end.signal.aborted; served += 1) {
        if ((await ask()) === 201) continue;
        again += 1;
        assert.equal(await ask(), 201, 'Two requests in a row were not served');
      }
      return `${served} requests of a visitor were served meanwhile, of which ${again} had to be sent again`;
    };
    const [seen] = await Promise.all([home.visit(visit), home.deploy(settings).finally(() => end.abort())]);
    steps.say(seen);
    await home.visit(goOn);
    steps.say('Each key gets its first answer, and 422 with other content; lists go on from page to page');
    await seeClass('STANDARD_INFREQUENT_ACCESS');
    assert.equal(home.outputs['Dashboard'], undefined);
    steps.say('The table is of the new class, and the dashboard is gone');
  });

  await steps.run('Be told of all, once', async () => {
    await standard.comeBack();
    // Longer than the gap to the next try.
    await emulator.moveClock(10 * minute);
    await arrivals.everywhere(await post('The last'));
    await home.takeStock();
    await arrivals.rest();
    const spam = ({ message }: { readonly message: string }) => message.startsWith('Spam');
    for (const contact of home.contacts) {
      const mails = await arrivals.mails(contact.id);
      const times = [arrivals.webhooks(contact.id).length, arrivals.slack(contact.id).length, mails.length];
      assert.deepEqual(times, spam(contact) ? [0, 0, 0] : [1, 1, mailed.to.length], contact.message);
    }
    steps.say(
      `${home.contacts.filter((contact) => !spam(contact)).length} contact requests: each target was told once`,
    );
  });

  await steps.run('Ask the doctor', async () => {
    // Nobody serves the pages of the site.
    const wrong = othersOf(await ask(cast, 'prod')).filter(({ check }) => check !== 'sites');
    assert.deepEqual(wrong, []);
    steps.say('Nothing is wrong');
  });

  const sendSince = (status: number) =>
    home.visit(async (baseUrl) => {
      const content = { email: 'visitor@example.com', message: 'Since the upgrade' };
      assert.equal((await send(baseUrl, 'since-the-upgrade', content)).status, status);
    });
  await steps.run(`Roll back to ${version}`, async () => {
    await sendSince(201);
    await home.takeStock();
    await home.deployBy(formerly, settings);
    await seeClass('STANDARD');
    await home.visit(goOn);
    await sendSince(422);
    steps.say('All is there; only a key that was used since the upgrade gets 422, as the notes say');
  });

  await steps.run('Deploy this version again, and tell nobody any more', async () => {
    await home.deploy(silent);
    await home.visit(goOn);
    await sendSince(201);
  });
  await steps.run('Acceptance suite, after the upgrade', () => home.test(testAcceptance));
};
