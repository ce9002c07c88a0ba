import assert from 'node:assert/strict';
import { testAcceptance } from '../acceptance.ts';
import { read } from '../arrivals.ts';
import { operatorOf } from '../operator.ts';
import { until } from '../until.ts';
import { mailed } from '../versions.ts';
import { firstSettings, type Year } from './home.ts';
import { layOutPrevious } from './previous.ts';

/** Deploys the previous version, with data, and this one over it, as the upgrade notes in CHANGELOG.md have it. */
export const upgrade = async ({ cast, home, receivers }: Year): Promise<void> => {
  const { emulator, steps, signal } = cast;
  const { standard, slack } = receivers;
  const previous = await steps.run('Lay out the previous version', () => layOutPrevious(signal));
  if (!previous) {
    steps.notShown('an upgrade of the previous version: the history of git is not here (a clone of all of it has it)');
    return;
  }
  // Who is told, as 1.0.0 has it and as this version has it.
  const before = { ...firstSettings, notifications: { emails: mailed.to } };
  const told = { from: mailed.from, emails: mailed.to, webhooks: [{ url: standard.url }] };
  const after = { ...firstSettings, listShards: 10, notifications: told };

  await steps.run(`Deploy ${previous.version}, and fill it`, () =>
    home.settle(before, operatorOf(emulator, { standard: standard.url, slack: slack.url }, signal, previous)),
  );
  await steps.run('Leave out what the upgrade notes say', async () => {
    await assert.rejects(home.deploy({ ...before, listShards: 10 }), /notifications\.from: is missing/);
    steps.say('Refused: mails without from');
    await assert.rejects(home.deploy({ ...firstSettings, notifications: told }), /listShards: 10/);
    steps.say('Refused: fewer partitions than the list has, with a line that says what to write');
    await home.look();
  });
  await steps.run('Deploy this version over it', async () => {
    await home.deploy(after);
    const stored = home.contacts.filter(({ message }) => message.startsWith('Number'));
    const wanted = stored.map(({ id }) => id);
    const arrived = () => {
      const ids = new Set(standard.received.map((webhook) => read(webhook).data.id));
      return wanted.every((id) => ids.has(id)) || undefined;
    };
    await until('each contact request of the last day at the webhook', arrived, signal);
    steps.say('Contact requests of the last day are told once more, as the upgrade notes say');
  });
  await steps.run('Tell nobody any more', () => home.deploy({ ...firstSettings, listShards: 10 }));
  await steps.run('Acceptance suite, after the upgrade', () => home.test(testAcceptance));
};
