import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Contact } from '../acceptance/contact.ts';
import { sendTo } from '../acceptance/http.ts';
import { type Arrivals, read, type Target } from './arrivals.ts';
import { hasBrowser, sendForm } from './browser.ts';
import { listContacts, postContact, postForm } from './contacts.ts';
import type { Deployed } from './operator.ts';
import { messagesIn } from './queues.ts';
import type { Receiver } from './receiver.ts';
import type { Cast } from './steps.ts';
import { until } from './until.ts';
import { isGenuine } from './verify.ts';
import { mailed } from './versions.ts';

/** A deployed environment that tells somebody, and where that arrives. */
export interface Scene {
  readonly cast: Cast;
  readonly environment: string;
  readonly baseUrl: string;
  /** The site whose pages post to it. */
  readonly origin: string;
  /** A token of the environment, with every permission. */
  readonly token: string;
  readonly targets: readonly Target[];
  readonly outputs: Deployed['outputs'];
  /** Gets the signed webhooks. */
  readonly receiver: Receiver;
  readonly arrivals: Arrivals;
}

const minute = 60;
const hour = 60 * minute;

/** What a visitor writes; each request is found again by its id. */
const request = { email: 'visitor@example.net', firstName: 'Zoë', lastName: "O'Neill", message: 'Is it in stock?' };

const post = ({ baseUrl }: Scene, fields: Readonly<Record<string, string>> = {}) =>
  postContact(baseUrl, { ...request, ...fields });

const secretPattern = /whsec_[A-Za-z0-9]{44}/g;

const staff = ({ cast: { operator }, environment }: Scene, ...args: string[]) =>
  operator.staff('notifications', ...args, '--env', environment);

/** The one secret that the command prints. */
const secretFrom = (printed: string): string => {
  const [secret, ...others] = printed.match(secretPattern) ?? [];
  assert.ok(secret !== undefined && others.length === 0, `Not one secret: ${printed.replaceAll(secretPattern, '…')}`);
  return secret;
};

/** The target whose webhook is signed. */
const standardOf = ({ targets }: Scene): Target => {
  const [target] = targets.filter(({ kind }) => kind === 'standard');
  assert.ok(target, 'No target of the format standard');
  return target;
};

/** The URL of the queue of what was given up. */
export const deadLettersOf = ({ outputs: { DeadLetters } }: Scene): string => {
  assert.ok(DeadLetters, 'The stack has no output DeadLetters');
  return DeadLetters;
};

/** Whether a webhook that has just arrived is genuine for whom has that secret. */
const isTakenWith = ({ cast: { emulator, signal } }: Scene, secret: string, webhook: Parameters<typeof isGenuine>[0]) =>
  isGenuine(webhook, secret, emulator.now(), signal);

const signaturesOf = ({ headers }: { readonly headers: Receiver['received'][number]['headers'] }) =>
  String(headers['webhook-signature']).split(' ').length;

/** Posts a form on a page of the site: in a browser, where there is one. @returns the contact request that is stored */
const postOnSite = async (
  { baseUrl, origin, token, cast: { steps, signal } }: Scene,
  message: string,
): Promise<Contact> => {
  if (hasBrowser()) {
    const labels = { Name: "Zoë O'Neill", 'Email address': request.email, Message: message };
    const { heading, ...seen } = await sendForm(baseUrl, origin, labels, signal);
    assert.deepEqual(seen, { status: 201, origin });
    steps.say(`In Chromium, on ${origin}: the visitor fills the form, sends it, and reads "${heading}"`);
  } else {
    steps.notShown(
      'a form in a real browser, since there is none (CHROMIUM says where it is): it was posted as one does',
    );
    assert.equal((await postForm(baseUrl, { ...request, message }, origin)).status, 201);
  }
  const [stored] = await listContacts(baseUrl, token);
  assert.ok(stored);
  return stored;
};

/** A form on the site becomes mails that can be answered, a genuine webhook, and a message in Slack. */
export const tellOfForm = async (scene: Scene): Promise<void> => {
  const { cast, arrivals, origin } = scene;
  const lines = ['"Tea" & <cake>?', 'Bcc: everyone@example.org', '🍰 \\ <!channel>'];
  const contact = await postOnSite(scene, lines.join('\n'));
  const { mails, webhook, slack } = await arrivals.everywhere(contact);

  assert.deepEqual(mails.flatMap(({ to }) => to).toSorted(), mailed.to.toSorted());
  for (const mail of mails) {
    assert.equal(mail.from, mailed.from);
    assert.deepEqual(mail.replyTo, [request.email]);
    assert.match(mail.subject, /^Contact request from .+$/);
    assert.ok(mail.subject.endsWith(`(${origin})`), mail.subject);
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
  cast.steps.say(
    'A webhook that is genuine for the Python library of Standard Webhooks and for hmac; a forged one is not',
  );
  assert.ok(slack.body.includes(JSON.stringify(contact.message).slice(1, -1)), slack.body);
  cast.steps.say('A message for Slack with all that was written');
};

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

const failure = v.object({
  message: v.literal('notification failed'),
  target: v.string(),
  contact: v.string(),
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

/** What the functions log names nobody. */
export const logNobody = async ({ cast }: Scene): Promise<void> => {
  const printed = await cast.emulator.log();
  assert.ok(printed.includes('"notification told"'), 'The log of the functions is not there');
  for (const datum of [request.email, request.lastName, request.message]) {
    assert.ok(!printed.includes(datum), `In a log: ${datum}`);
  }
  assert.deepEqual(printed.match(secretPattern), null);
  cast.steps.say('No log has a datum of the visitor, or a secret, in it');
};
