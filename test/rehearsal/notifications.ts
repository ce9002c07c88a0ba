import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { contactSchema } from '../acceptance/contact.ts';
import { sendTo } from '../acceptance/http.ts';
import { listContacts, postContact, postForm } from './contacts.ts';
import type { Deployed } from './deployed.ts';
import { chatSecrets, mailed, site } from './settings.ts';
import { type Cast, comes, type Rehearsal } from './steps.ts';

const target = v.object({
  name: v.string(),
  kind: v.string(),
  /** The URL of its queue. */
  queue: v.string(),
  /** The ARN of a webhook's secret. */
  secret: v.exactOptional(v.string()),
});

type Target = v.InferOutput<typeof target>;

/** The targets of notifications in the outputs of a stack. */
export const targetsIn = (outputs: Readonly<Record<string, string>>): Target[] =>
  Object.entries(outputs)
    .filter(([name]) => /^Notify(?!Function$)/.test(name))
    .map(([, value]) => v.parse(v.pipe(v.string(), v.parseJson(), target), value));

/** A deployed environment with notifications. */
export interface Scene {
  readonly cast: Cast;
  readonly deployed: Deployed;
  readonly baseUrl: string;
  readonly token: string;
}

/** One with emails, whose text only an emulator shows. */
interface RehearsedScene extends Scene {
  readonly cast: Rehearsal;
}

/** A visitor's fields. */
export const request = {
  email: 'visitor@example.net',
  firstName: 'Zoë',
  lastName: "O'Neill",
  message: 'Is it in stock?',
};

const post = ({ baseUrl }: Scene, fields: Readonly<Record<string, string>> = {}) =>
  postContact(baseUrl, { ...request, ...fields });

/** Runs a command of the group `notifications`. @returns what it printed */
const notifications = ({ cast, deployed }: Scene, ...args: string[]) =>
  cast.operator.staff('notifications', ...args, '--env', deployed.environment);

const secretPattern = /whsec_[A-Za-z0-9]{44}/g;

/** The webhooks that hold a text on a path of the receiver, each try. */
const webhooksWith = async ({ cast }: Scene, path: string, text: string) =>
  (await cast.receiver.received()).filter((received) => received.path === path && received.body.includes(text));

const mail = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    FromEmailAddress: v.string(),
    ReplyToAddresses: v.array(v.string()),
    Destination: v.object({ ToAddresses: v.array(v.string()) }),
    Content: v.object({
      Simple: v.object({
        Subject: v.object({ Data: v.string() }),
        Body: v.object({ Text: v.object({ Data: v.string() }), Html: v.object({ Data: v.string() }) }),
      }),
    }),
  }),
);

/** The mails that hold a text, as the function gave them to SES. */
const mailsWith = async ({ cast }: RehearsedScene, text: string) =>
  (await cast.emulator.mails()).filter((content) => content.includes(text)).map((content) => v.parse(mail, content));

/** Waits until so many mails and each chat have a contact request. */
const arrivedBesides = (scene: RehearsedScene, id: string, mailCount = 1) =>
  comes(scene.cast, `${id} by mail and in each chat`, async () => {
    const mails = await mailsWith(scene, id);
    const inChats = await Promise.all(chatSecrets.map(({ kind }) => webhooksWith(scene, `/${kind}`, id)));
    const chats = inChats.flatMap((received) => received.slice(0, 1));
    return chats.length === chatSecrets.length && mails.length >= mailCount ? { mails, chats } : undefined;
  });

/** Waits until the signed webhook about a contact request was tried so often. */
const tried = (scene: Scene, id: string, times: number) =>
  comes(scene.cast, `try ${times} of ${id}`, async () => (await webhooksWith(scene, '/signed', id))[times - 1]);

const notification = v.pipe(v.string(), v.parseJson(), v.object({ type: v.string(), data: contactSchema }));

/** What `notifications test --for` prints. */
const recipients = v.pipe(v.string(), v.parseJson(), v.array(v.object({ to: v.string(), reached: v.boolean() })));

const recipientsOf = (mails: readonly v.InferOutput<typeof mail>[]) =>
  mails.flatMap(({ Destination }) => Destination.ToAddresses).toSorted();

/** Expects that a webhook about a contact request arrives, signed with the secret of its target. @returns its content */
export const expectSigned = async (scene: Scene, id: string) => {
  const { headers, body } = await tried(scene, id, 1);
  const printed = await notifications(scene, 'secret');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signatures = (printed.match(secretPattern) ?? []).map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    return `v1,${hmac.update(signed).digest('base64')}`;
  });
  assert.ok(signatures.includes(String(headers['webhook-signature'])), 'The signature is not of this target');
  return v.parse(notification, body);
};

const deliver = async (scene: RehearsedScene): Promise<void> => {
  const { cast, baseUrl, token } = scene;
  const message = `"Tea" & <cake>?\n🍰 \\ <!channel>`;
  assert.equal((await postForm(baseUrl, { ...request, message }, site.origin)).status, 201);
  const [contact] = await listContacts(baseUrl, token);
  assert.ok(contact);
  const { mails, chats } = await arrivedBesides(scene, contact.id, 2);
  assert.deepEqual(recipientsOf(mails), [mailed.all, mailed.others]);
  for (const { FromEmailAddress, ReplyToAddresses, Content } of mails) {
    assert.deepEqual([FromEmailAddress, ReplyToAddresses], [mailed.header, [request.email]]);
    assert.match(Content.Simple.Subject.Data, /^Contact request from Zoë O'Neill/);
    for (const line of message.split('\n')) assert.ok(Content.Simple.Body.Text.Data.includes(line));
    assert.ok(Content.Simple.Body.Html.Data.includes('&#60;cake&#62;'));
  }
  for (const { body } of chats) assert.ok(body.includes('cake'), body);

  const { type, data } = await expectSigned(scene, contact.id);
  assert.deepEqual([type, data], ['contact.created', contact]);
  cast.steps.say('A mail that goes back to the visitor, a signed webhook, and a message for each chat');

  await notifications(scene, 'test');
  cast.steps.say('`notifications test` reaches each target');
};

/** Who gets what, besides the address that gets all. Fan-out sends to all matching targets at once, so a wrong mail would come, too. */
const routes: readonly (readonly [to: string, fields: Readonly<Record<string, string>>])[] = [
  [mailed.sales, { 'form-name': 'sales', _subject: 'About sales' }],
  [mailed.support, { topic: 'RÜCKGABE ', _subject: 'About support' }],
  [mailed.others, { topic: 'Press', _subject: 'About the press' }],
];

const deliverByConditions = async (scene: RehearsedScene): Promise<void> => {
  const posted = await Promise.all(
    routes.map(async ([to, fields]) => {
      const { id } = await post(scene, fields);
      return { id, to, subject: fields['_subject'] };
    }),
  );
  for (const { id } of posted) await arrivedBesides(scene, id, 2);
  for (const { id, to, subject } of posted) {
    const mails = await mailsWith(scene, id);
    assert.deepEqual(recipientsOf(mails), [mailed.all, to].toSorted());
    for (const { Content } of mails) assert.equal(Content.Simple.Subject.Data, `${subject}: Zoë O'Neill`);
    const said = v.parse(recipients, await notifications(scene, 'test', '--for', id, '--json'));
    const addresses = said.flatMap(({ to: address, reached }) => (reached && address.includes('@') ? [address] : []));
    assert.deepEqual(addresses.toSorted(), [mailed.all, to].toSorted());
  }
  scene.cast.steps.say('The form of sales, a topic and what is left reach their addresses only');
  scene.cast.steps.say('`notifications test --for` names the same addresses');
};

/** @returns the id of what was released */
const releaseSpam = async (scene: RehearsedScene): Promise<string> => {
  const { cast, deployed } = scene;
  const spam = await post(scene, { _gotcha: 'https://spam.example.com' });
  // A notification about the spam would come before this one's.
  const { id } = await post(scene);
  await Promise.all([arrivedBesides(scene, id, 2), tried(scene, id, 1)]);
  assert.deepEqual(await webhooksWith(scene, '/signed', spam.id), []);
  const [caught] = await comes(cast, `${spam.id} at the address for spam`, async () => {
    const mails = await mailsWith(scene, spam.id);
    return mails.length > 0 ? mails : undefined;
  });
  assert.match(caught?.Content.Simple.Subject.Data ?? '', /^\[Spam: trap\] Contact request from /);
  assert.deepEqual(recipientsOf(await mailsWith(scene, spam.id)), [mailed.spam]);
  assert.deepEqual(recipientsOf(await mailsWith(scene, id)), [mailed.all, mailed.others]);

  await cast.operator.staff('contacts', 'release', spam.id, '--env', deployed.environment);
  const { type, data } = v.parse(notification, (await tried(scene, spam.id, 1)).body);
  assert.deepEqual([type, data.id], ['contact.released', spam.id]);
  await arrivedBesides(scene, spam.id, 3);
  assert.deepEqual(recipientsOf(await mailsWith(scene, spam.id)), [mailed.all, mailed.others, mailed.spam]);
  cast.steps.say('Only the address for spam hears of spam before it is released, and only the others then');
  return spam.id;
};

/** Marks, restores and answers a contact request that is new. */
const triage = async (scene: RehearsedScene, released: string): Promise<void> => {
  const { cast, baseUrl, token } = scene;
  const { id } = await post(scene);
  await Promise.all([arrivedBesides(scene, id, 2), tried(scene, id, 1)]);
  const before = await mailsWith(scene, id);
  for (const change of [{ answered: true }, { spam: true }, { spam: false }, { answered: false }]) {
    for (const each of [id, released]) {
      const init = { method: 'PATCH', headers: { Authentication: token }, body: JSON.stringify(change) };
      assert.equal((await sendTo(`${baseUrl}/api/v1/contact/${each}`, init)).status, 200);
    }
  }
  // What a change told anybody would come before this one's.
  const { id: last } = await post(scene);
  await Promise.all([arrivedBesides(scene, last, 2), tried(scene, last, 1)]);
  assert.equal((await webhooksWith(scene, '/signed', id)).length, 1);
  assert.equal((await webhooksWith(scene, '/signed', released)).length, 1);
  assert.equal((await mailsWith(scene, id)).length, before.length);
  assert.equal((await mailsWith(scene, released)).length, 3);
  cast.steps.say('Nobody is told that staff marked, restored or answered a new or a released one');
};

interface Meanwhile {
  /** Waits until the other targets have a contact request. */
  readonly others?: (id: string) => Promise<unknown>;
  /** Leaves the message in the dead-letter queue for a while. */
  readonly rest?: () => Promise<unknown>;
}

/** A receiver fails until its message is in the dead-letter queue; moved back, it arrives. */
export const redrive = async (scene: Scene, { queue }: Target, { others, rest }: Meanwhile): Promise<void> => {
  const { cast, deployed } = scene;
  const { aws, cloud, receiver, steps } = cast;
  const deadLetters = deployed.outputs['DeadLetters'] ?? '';
  // The template says 960 times, one every minute and a half: nobody waits for so many.
  const asBefore = await aws.giveUpAfter(queue, 2);
  await receiver.respondWith(500);
  const { id } = await post(scene);
  await others?.(id);
  const letter = await comes(cast, 'the message in the dead-letter queue', async () =>
    (await aws.messagesIn(deadLetters)).find((body) => body.includes(id)),
  );
  await asBefore();
  assert.ok(!letter.includes(request.email), 'The message has personal data');
  const failed = (await webhooksWith(scene, '/signed', id)).length;
  assert.ok(failed >= 2, `It was tried ${failed} times`);
  steps.say('While a receiver fails, the other targets do not wait; the message goes to the dead-letter queue');

  await receiver.respondWith(204);
  await rest?.();
  if (cloud.movesMessages) await notifications(scene, 'redrive');
  else await aws.moveBack(deadLetters);
  await tried(scene, id, failed + 1);
  const ids = (await webhooksWith(scene, '/signed', id)).map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(await aws.messagesIn(deadLetters), []);
  steps.say('Moved back, it arrives with the same webhook-id');
};

/** No log has personal data of the visitor, or a secret, in it. */
const readLogs = async ({ cast }: RehearsedScene): Promise<void> => {
  const printed = await cast.emulator.log();
  assert.ok(printed.includes('"notification delivered"'), 'The log of the functions is not there');
  for (const datum of [request.email, request.lastName, request.message]) {
    assert.ok(!printed.includes(datum), `In a log: ${datum}`);
  }
  assert.equal(secretPattern.test(printed), false);
};

export const rehearseNotifications = async (scene: RehearsedScene): Promise<void> => {
  const { steps } = scene.cast;
  const targets = targetsIn(scene.deployed.outputs);
  const signed = targets.find(({ kind }) => kind === 'webhook');
  assert.ok(signed && targets.length === 6 + chatSecrets.length);
  await steps.run('Send a form, and get it by mail, webhook and in each chat', () => deliver(scene));
  await steps.run('Send a form and topics to the right people', () => deliverByConditions(scene));
  const released = await steps.run('Release spam', () => releaseSpam(scene));
  await steps.run('Mark, restore and answer', () => triage(scene, released));
  await steps.run('Move a message back from the dead-letter queue', () =>
    redrive(scene, signed, { others: (id) => arrivedBesides(scene, id) }),
  );
  await steps.run('Look for personal data in the logs', () => readLogs(scene));
};
