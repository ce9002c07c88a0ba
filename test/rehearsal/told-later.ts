import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Contact } from '../acceptance/contact.ts';
import { read } from './arrivals.ts';
import { hour, minute, post, type Scene, standardOf } from './scene.ts';
import type { Cast } from './steps.ts';
import { until } from './until.ts';

const failure = v.object({
  message: v.literal('notification failed'),
  target: v.string(),
  contactId: v.string(),
  tries: v.number(),
  reason: v.string(),
  nextTryInSeconds: v.number(),
});

/** What the functions have logged of tries that failed for a contact request. */
const failuresOf = async ({ emulator }: Cast, id: string) =>
  (await emulator.log()).split('\n').flatMap((line) => {
    if (!line.includes('"notification failed"') || !line.includes(id)) return [];
    return [v.parse(v.pipe(v.string(), v.parseJson(), failure), line)];
  });

/** The gap after a try without what is left to chance, in seconds: contract, "growing gaps". */
const gapAfter = (tries: number) => 30 * 2 ** (tries - 1);

/** A receiver that is away for an hour gets what it missed when it is back; nobody else waits for it. */
export const missNothing = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, receiver } = scene;
  const { steps, emulator, signal } = cast;
  const { name } = standardOf(scene);
  const failureOf = ({ id }: Contact, tries: number) =>
    until(`try ${tries} of ${id}`, async () => (await failuresOf(cast, id)).find((one) => one.tries === tries), signal);

  receiver.status = 503;
  const missed = await post(scene);
  let last = await failureOf(missed, 1);
  await receiver.leave();
  await arrivals.elsewhere(missed);
  let passed = 0;
  let missedLater: Contact | undefined;
  while (passed < hour) {
    assert.equal(last.target, name);
    assert.equal(last.reason, last.tries === 1 ? 'HTTP 503' : 'ECONNREFUSED');
    const gap = last.nextTryInSeconds;
    assert.ok(gap >= gapAfter(last.tries) / 2 && gap <= gapAfter(last.tries), `${gap} s after try ${last.tries}`);
    await emulator.moveClock(gap + 1);
    passed += gap + 1;
    if (!missedLater && passed > hour / 4) {
      missedLater = await post(scene);
      await arrivals.elsewhere(missedLater);
    }
    last = await failureOf(missed, last.tries + 1);
  }
  assert.ok(missedLater);
  steps.say(
    `Away for ${Math.round(passed / minute)} minutes of the emulator's time: ${last.tries} tries in growing gaps; the mails and Slack do not wait`,
  );

  receiver.status = 204;
  await receiver.comeBack();
  for (const contact of [missed, missedLater]) {
    const tried = (await failuresOf(cast, contact.id)).at(-1);
    const before = contact === missed ? 1 : 0;
    const hasCome = () => arrivals.webhooks(contact.id)[before];
    if (!hasCome()) await emulator.moveClock((tried?.nextTryInSeconds ?? 0) + 1);
    const webhook = await until(`${contact.id} at the receiver`, hasCome, signal);
    assert.deepEqual(read(webhook).data, contact);
    assert.equal(webhook.headers['webhook-id'], arrivals.webhooks(contact.id)[0]?.headers['webhook-id']);
  }
  await arrivals.rest();
  assert.equal(arrivals.webhooks(missed.id).length, 2);
  steps.say('Back again, it gets both that it missed; the first with the webhook-id of the first try');
};
