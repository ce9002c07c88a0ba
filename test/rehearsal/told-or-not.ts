import assert from 'node:assert/strict';
import { sendTo } from '../acceptance/http.ts';
import { read, type Target } from './arrivals.ts';
import { messagesIn } from './queues.ts';
import { post, type Scene } from './scene.ts';
import { until } from './until.ts';

/** Spam is not told, its release is; what is deleted before it was told is not told. */
export const tellWhatIsToBeTold = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, baseUrl, environment, token, targets } = scene;
  const { steps, operator, aws, emulator, signal } = cast;

  const spam = await post(scene, { website: 'https://spam.example.com' });
  // Told after it: so it would have been, too.
  await arrivals.everywhere(await post(scene));
  await arrivals.rest();
  const told = async () => [
    ...arrivals.webhooks(spam.id),
    ...arrivals.slack(spam.id),
    ...(await arrivals.mails(spam.id)),
  ];
  assert.deepEqual(await told(), []);
  steps.say('Spam is told nowhere');

  await operator.staff('contacts', 'release', spam.id, '--env', environment);
  const { webhook } = await arrivals.everywhere(spam);
  const { type, data } = read(webhook);
  assert.deepEqual([type, data.id, typeof data.releasedAt], ['contact.released', spam.id, 'string']);
  steps.say('Released by staff, it is told everywhere, as contact.released');

  const functions = targets.map((target) => target.function);
  await aws.readQueues(functions, false);
  const contact = await post(scene);
  const waits = async ({ queue }: Target) =>
    (await messagesIn(emulator, queue)).some(({ Body }) => Body.includes(contact.id));
  const waitsEverywhere = async () => (await Promise.all(targets.map(waits))).every(Boolean) || undefined;
  await until('the contact request in every queue', waitsEverywhere, signal);
  const answer = await sendTo(`${baseUrl}/api/v1/contact/${contact.id}`, {
    method: 'DELETE',
    headers: { Authentication: token },
  });
  assert.equal(answer.status, 204);
  await aws.readQueues(functions, true);
  await arrivals.rest();
  const arrived = [
    ...arrivals.webhooks(contact.id),
    ...arrivals.slack(contact.id),
    ...(await arrivals.mails(contact.id)),
  ];
  assert.deepEqual(arrived, []);
  steps.say('Deleted while it waits in every queue, it is told nowhere');
};
