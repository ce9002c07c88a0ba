import assert from 'node:assert/strict';
import { read } from './arrivals.ts';
import type { Receiver } from './receiver.ts';
import { hour, isTakenWith, minute, type Scene, secretFrom, staff, standardOf } from './scene.ts';
import { mailed } from './versions.ts';

const signaturesOf = ({ headers }: { readonly headers: Receiver['received'][number]['headers'] }) =>
  String(headers['webhook-signature']).split(' ').length;

/** The staff command sends samples, and changes the secret: both are good for a day, then the new one alone. */
export const changeSecret = async (scene: Scene): Promise<void> => {
  const { cast, targets, receiver, arrivals } = scene;
  const { steps, emulator } = cast;
  const sample = async () => {
    const before = receiver.received.length;
    const printed = await staff(scene, 'test');
    for (const { name } of targets) assert.match(printed, new RegExp(`${name} .* told `));
    const [webhook, ...others] = receiver.received.slice(before);
    assert.ok(webhook && others.length === 0, 'Not one sample');
    return webhook;
  };
  const old = secretFrom(await staff(scene, 'secret'));
  const first = await sample();
  assert.ok(await isTakenWith(scene, old, first));
  const id = read(first).data.id;
  assert.equal((await arrivals.mails(id)).length, mailed.to.length);
  assert.equal(arrivals.slack(id).length, 1);
  steps.say(`\`notifications test\` tells each of the ${targets.length} targets a sample`);

  const next = secretFrom(await staff(scene, 'rotate', standardOf(scene).name));
  assert.notEqual(next, old);
  // The function looks for another secret every five minutes.
  await emulator.moveClock(5 * minute + 1);
  const both = await sample();
  assert.equal(signaturesOf(both), 2);
  for (const secret of [old, next]) assert.ok(await isTakenWith(scene, secret, both), 'One secret is not enough');
  steps.say('After `notifications rotate` a webhook is genuine with the old secret alone, and with the new one alone');

  await emulator.moveClock(24 * hour);
  const later = await sample();
  assert.deepEqual([await isTakenWith(scene, old, later), await isTakenWith(scene, next, later)], [false, true]);
  steps.say('A day later, with the new one only');
};
