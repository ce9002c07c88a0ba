import assert from 'node:assert/strict';
import type { Contact } from '../acceptance/contact.ts';
import { sendTo } from '../acceptance/http.ts';
import { messagesIn, read, type Target } from './arrivals.ts';
import { hasBrowser, sendForm } from './browser.ts';
import { listContacts, postForm } from './contacts.ts';
import { hour, isTakenWith, minute, post, request, type Scene, secretFrom, secretPattern, staff } from './scene.ts';
import { until } from './until.ts';
import { mailed } from './versions.ts';

/** Longer than the visibility timeout of the queues, in seconds. */
const untilNextTry = 91;

/** As the visitor writes it into the one field of the form. */
const name = `${request.firstName} ${request.lastName}`;

/** Posts a form on a page of the site, in a browser if there is one. @returns the stored contact request */
const postOnSite = async (
  { baseUrl, origin, token, cast: { steps, signal } }: Scene,
  message: string,
): Promise<Contact> => {
  if (hasBrowser()) {
    const labels = { Name: name, 'Email address': request.email, Message: message };
    const { heading, ...seen } = await sendForm(baseUrl, origin, labels, signal);
    assert.deepEqual(seen, { status: 201, origin });
    steps.say(`In Chromium, on ${origin}: the visitor fills the form, sends it, and reads "${heading}"`);
  } else {
    steps.notShown('a form in a real browser: there is none (CHROMIUM says where it is)');
    assert.equal((await postForm(baseUrl, { name, email: request.email, message }, origin)).status, 201);
  }
  const [stored] = await listContacts(baseUrl, token);
  assert.ok(stored);
  return stored;
};

/** A form on the site becomes mails that can be answered, a genuine webhook, and a message in Slack. */
const deliverForm = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, origin } = scene;
  const lines = ['"Tea" & <cake>?', 'Bcc: everyone@example.org', '🍰 \\ <!channel>'];
  const contact = await postOnSite(scene, lines.join('\n'));
  const { mails, webhook, slack } = await arrivals.everywhere(contact);

  assert.deepEqual(mails.flatMap(({ to }) => to).toSorted(), mailed.to.toSorted());
  for (const mail of mails) {
    assert.equal(mail.from, mailed.from);
    assert.deepEqual(mail.replyTo, [request.email]);
    assert.equal(mail.subject, `Contact request from ${name} (${origin})`);
    for (const line of [...lines, request.email, contact.id])
      assert.ok(mail.text.includes(line), `Not in the mail: ${line}`);
    assert.deepEqual(mail.headers, [{ Name: 'Auto-Submitted', Value: 'auto-generated' }]);
  }
  cast.steps.say(`${mails.length} mails: "${mails[0]?.subject}", and a reply goes to ${request.email}`);

  const secret = secretFrom(await staff(scene, 'secret'));
  assert.ok(await isTakenWith(scene, secret, webhook), 'The webhook is not genuine');
  assert.ok(!(await isTakenWith(scene, secret, { ...webhook, body: `${webhook.body} ` })), 'A forged one is genuine');
  const { type, data } = read(webhook);
  assert.deepEqual([type, data], ['contact.created', contact]);
  cast.steps.say('A webhook that the Python library of Standard Webhooks and hmac accept; both refuse a forged one');
  assert.ok(slack.body.includes(JSON.stringify(contact.message).slice(1, -1)), slack.body);
  cast.steps.say('A message for Slack, at the URL in Secrets Manager');
};

/** Spam triggers no notification until it is released, and neither does a contact request that was deleted. */
const leaveOut = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, baseUrl, environment, token, targets, outputs } = scene;
  const { steps, operator, aws, emulator, signal } = cast;

  const spam = await post(scene, { _gotcha: 'https://spam.example.com' });
  // A notification about the spam would come before this one's.
  await arrivals.everywhere(await post(scene));
  await arrivals.rest();
  assert.equal(await arrivals.count(spam), 0);
  steps.say('Spam triggers no notification');

  await operator.staff('contacts', 'release', spam.id, '--env', environment);
  const { type, data } = read((await arrivals.everywhere(spam)).webhook);
  assert.deepEqual([type, data.id, typeof data.releasedAt], ['contact.released', spam.id, 'string']);
  steps.say('Released by staff, it arrives everywhere, as contact.released');

  const notify = outputs['NotifyFunction'] ?? '';
  await aws.readQueues(notify, false);
  const contact = await post(scene);
  const waits = async ({ queue }: Target) =>
    (await messagesIn(emulator, queue)).some(({ Body }) => Body.includes(contact.id));
  const waitsEverywhere = async () => (await Promise.all(targets.map(waits))).every(Boolean) || undefined;
  await until('the contact request in every queue', waitsEverywhere, signal);
  const { status } = await sendTo(`${baseUrl}/api/v1/contact/${contact.id}`, {
    method: 'DELETE',
    headers: { Authentication: token },
  });
  assert.equal(status, 204);
  await aws.readQueues(notify, true);
  await arrivals.rest();
  assert.equal(await arrivals.count(contact), 0);
  steps.say('Deleted while it waits in every queue, a contact request triggers no notification');
};

/** SQS tries a receiver again that fails; the other targets do not wait. */
const retry = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, receiver } = scene;
  const { steps, emulator } = cast;
  receiver.status = 500;
  const [first, second] = [await post(scene), await post(scene)];
  for (const contact of [first, second]) {
    await arrivals.tries(contact, 1);
    await arrivals.elsewhere(contact);
  }
  await emulator.moveClock(untilNextTry);
  for (const contact of [first, second]) await arrivals.tries(contact, 2);
  receiver.status = 204;
  await emulator.moveClock(untilNextTry);
  for (const contact of [first, second]) {
    const delivered = await arrivals.tries(contact, 3);
    assert.deepEqual(read(delivered).data, contact);
    const ids = new Set(arrivals.webhooks(contact.id).map(({ headers }) => headers['webhook-id']));
    assert.equal(ids.size, 1);
  }
  await arrivals.rest();
  steps.say(
    'A receiver that answers 500 is tried every minute and a half, with the same webhook-id, until it takes both',
  );
  steps.say('Meanwhile the mails and Slack have both');
};

/** A message that was tried for a day goes to the dead-letter queue; moved back, it arrives. */
const redrive = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, receiver, signed, outputs } = scene;
  const { steps, emulator, aws, signal } = cast;
  const deadLetters = outputs['DeadLetters'] ?? '';

  receiver.status = 500;
  const contact = await post(scene);
  await arrivals.tries(contact, 1);
  await arrivals.elsewhere(contact);
  await emulator.moveClock(24 * hour);
  const triedForADay = async () => (await emulator.log()).includes('"tried for a day"') || undefined;
  await until('a try that fails for the message’s age', triedForADay, signal);
  assert.equal(arrivals.webhooks(contact.id).length, 1);
  steps.say('A day later the target is called no more');

  // The template says 960 times: nobody waits for so many.
  const asBefore = await aws.limitReceives(signed.queue, 2);
  await emulator.moveClock(untilNextTry);
  const [letter, ...others] = await until(
    'a message in the dead-letter queue',
    async () => {
      const letters = await messagesIn(emulator, deadLetters);
      return letters.length > 0 ? letters : undefined;
    },
    signal,
  );
  await asBefore();
  assert.ok(letter && others.length === 0, 'Not one dead letter');
  assert.ok(letter.Body.includes(contact.id), letter.Body);
  assert.ok(!letter.Body.includes(request.email), 'The message has personal data');

  receiver.status = 204;
  await aws.moveBack(deadLetters);
  const again = await arrivals.tries(contact, 2);
  assert.equal(again.headers['webhook-id'], arrivals.webhooks(contact.id)[0]?.headers['webhook-id']);
  await arrivals.rest();
  assert.deepEqual(await messagesIn(emulator, deadLetters), []);
  steps.say(
    'In the dead-letter queue it waits, without personal data; moved back, it arrives with the same webhook-id',
  );
};

/** Samples arrive everywhere; after a rotation two secrets sign for a day, then the new one alone. */
const rotate = async (scene: Scene): Promise<void> => {
  const { cast, targets, signed, receiver, arrivals } = scene;
  const { steps, emulator } = cast;
  const sample = async () => {
    const before = receiver.received.length;
    await staff(scene, 'test');
    const [webhook, ...others] = receiver.received.slice(before);
    assert.ok(webhook && others.length === 0, 'Not one sample');
    return webhook;
  };
  const old = secretFrom(await staff(scene, 'secret'));
  const first = await sample();
  assert.ok(await isTakenWith(scene, old, first));
  assert.equal(await arrivals.count(read(first).data), targets.length);
  steps.say(`\`notifications test\` sends a sample to each of the ${targets.length} targets`);

  const next = secretFrom(await staff(scene, 'rotate', signed.name));
  assert.notEqual(next, old);
  // The function reads a secret again after five minutes.
  await emulator.moveClock(5 * minute + 1);
  const both = await sample();
  assert.equal(String(both.headers['webhook-signature']).split(' ').length, 2);
  for (const secret of [old, next]) assert.ok(await isTakenWith(scene, secret, both), 'One secret is not enough');
  steps.say('After `notifications rotate` a receiver accepts webhooks with the old secret, and with the new one');

  await emulator.moveClock(24 * hour);
  const later = await sample();
  assert.deepEqual([await isTakenWith(scene, old, later), await isTakenWith(scene, next, later)], [false, true]);
  steps.say('A day later, with the new one only');
};

/** What the functions log names nobody. */
const logNobody = async ({ cast }: Scene): Promise<void> => {
  const printed = await cast.emulator.log();
  assert.ok(printed.includes('"notification delivered"'), 'The log of the functions is not there');
  for (const datum of [request.email, request.lastName, request.message]) {
    assert.ok(!printed.includes(datum), `In a log: ${datum}`);
  }
  assert.deepEqual(printed.match(secretPattern), null);
  cast.steps.say('No log has personal data of the visitor, or a secret, in it');
};

/** What becomes of contact requests at the targets of a deployed environment. */
export const rehearseNotifications = async (scene: Scene): Promise<void> => {
  const { steps } = scene.cast;
  await steps.run('Post a form, and get it by mail, webhook and Slack', () => deliverForm(scene));
  await steps.run('Notify nobody of spam and of deleted contact requests', () => leaveOut(scene));
  await steps.run('Retry a webhook whose receiver fails', () => retry(scene));
  await steps.run('Move a message back from the dead-letter queue', () => redrive(scene));
  await steps.run('Rotate the secret of the webhook', () => rotate(scene));
  await steps.run('Look for personal data in the logs', () => logNobody(scene));
};
