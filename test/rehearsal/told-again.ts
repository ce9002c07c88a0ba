import assert from 'node:assert/strict';
import { messagesIn } from './queues.ts';
import { deadLettersOf, post, type Scene, staff, standardOf } from './scene.ts';
import { until } from './until.ts';

/** 410 is given up at once; the staff command sends it again. */
export const sendAgain = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, receiver } = scene;
  const deadLetters = deadLettersOf(scene);
  const { steps, emulator, signal } = cast;
  const { name } = standardOf(scene);

  receiver.status = 410;
  const contact = await post(scene);
  await arrivals.elsewhere(contact);
  const [letter, ...others] = await until(
    'a dead letter',
    async () => {
      const letters = await messagesIn(emulator, deadLetters);
      return letters.length > 0 ? letters : undefined;
    },
    signal,
  );
  assert.deepEqual(others, []);
  const attributes = Object.entries(letter?.MessageAttributes ?? {}).map(([key, { StringValue }]) => [
    key,
    StringValue,
  ]);
  assert.deepEqual(Object.fromEntries(attributes), { Target: name, Tries: '1', Reason: 'HTTP 410' });
  steps.say('A receiver that answers 410 is not tried again: a dead letter with the target, one try, "HTTP 410"');

  receiver.status = 204;
  const printed = await staff(scene, 'redrive');
  assert.match(printed, new RegExp(`${name} .*HTTP 410`));
  const again = await until('the webhook', () => arrivals.webhooks(contact.id)[1], signal);
  assert.equal(again.headers['webhook-id'], arrivals.webhooks(contact.id)[0]?.headers['webhook-id']);
  assert.deepEqual(await messagesIn(emulator, deadLetters), []);
  steps.say('`notifications redrive` sends it again, and it arrives with the same webhook-id');
};
