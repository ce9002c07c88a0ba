import assert from 'node:assert/strict';
import { testBriefly } from '../acceptance.ts';
import { read } from '../arrivals.ts';
import { operatorOf } from '../operator.ts';
import { until } from '../until.ts';
import { mailed } from '../versions.ts';
import { firstSettings, Home, type Year } from './home.ts';
import { layOut, notLaidOut } from './previous.ts';

const version = '1.0.0';

/** Deploys 1.0.0, with data, and this version over it, as the notes in CHANGELOG.md on upgrading from 1.0.0 have it. */
export const upgradeFrom1 = async ({ cast, receivers }: Year): Promise<void> => {
  const { emulator, steps, signal } = cast;
  const { standard, slack } = receivers;
  const previous = await steps.run(`Lay out ${version}`, () => layOut(version, signal));
  if (!previous) return steps.notShown(notLaidOut(version));
  const home = new Home(cast, 'elder');
  // Who is told, as 1.0.0 has it and as this version has it.
  const before = { ...firstSettings, notifications: { emails: mailed.to } };
  const told = { from: mailed.from, emails: mailed.to, webhooks: [{ url: standard.url }] };
  const after = { ...firstSettings, listShards: 10, notifications: told };

  await steps.run(`Deploy ${version}, and fill it`, () =>
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
  await steps.run('A part of the acceptance suite, after the upgrade', () => home.test(testBriefly));
};
