import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { contactSchema } from '../acceptance/contact.ts';
import { until } from '../support/until.ts';
import { listContacts, postContact, postForm } from './contacts.ts';
import type { Deployed } from './deployed.ts';
import { chatSecrets, mailed, site } from './settings.ts';
import type { Cast } from './steps.ts';

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
interface Scene {
  readonly cast: Cast;
  readonly deployed: Deployed;
  readonly baseUrl: string;
  readonly token: string;
}

/** A visitor's fields. */
const request = { email: 'visitor@example.net', firstName: 'Zoë', lastName: "O'Neill", message: 'Is it in stock?' };

const post = ({ baseUrl }: Scene, fields: Readonly<Record<string, string>> = {}) =>
  postContact(baseUrl, { ...request, ...fields });

/** Runs a command of the group `notifications`. @returns what it printed */
const notifications = ({ cast, deployed }: Scene, ...args: string[]) =>
  cast.operator.staff('notifications', ...args, '--env', deployed.environment);

const secretPattern = /whsec_[A-Za-z0-9]{44}/g;

/** The webhooks that hold a text on a path of the receiver, each try. */
const webhooksWith = ({ cast }: Scene, path: string, text: string) =>
  cast.receiver.received.filter((received) => received.path === path && received.body.includes(text));

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
const mailsWith = async ({ cast }: Scene, text: string) =>
  (await cast.emulator.mails()).filter((content) => content.includes(text)).map((content) => v.parse(mail, content));

/** Waits until so many mails and each chat have a contact request. */
const arrivedBesides = (scene: Scene, id: string, mailCount = 1) =>
  until(
    `${id} by mail and in each chat`,
    async () => {
      const mails = await mailsWith(scene, id);
      const chats = chatSecrets.flatMap(({ kind }) => webhooksWith(scene, `/${kind}`, id).slice(0, 1));
      return chats.length === chatSecrets.length && mails.length >= mailCount ? { mails, chats } : undefined;
    },
    scene.cast.signal,
  );

/** Waits until the signed webhook about a contact request was tried so often. */
const tried = (scene: Scene, id: string, times: number) =>
  until(`try ${times} of ${id}`, () => webhooksWith(scene, '/signed', id)[times - 1], scene.cast.signal);

const notification = v.pipe(v.string(), v.parseJson(), v.object({ type: v.string(), data: contactSchema }));

const recipientsOf = (mails: readonly v.InferOutput<typeof mail>[]) =>
  mails.flatMap(({ Destination }) => Destination.ToAddresses).toSorted();

const deliver = async (scene: Scene): Promise<void> => {
  const { cast, baseUrl, token } = scene;
  const message = `"Tea" & <cake>?\n🍰 \\ <!channel>`;
  assert.equal((await postForm(baseUrl, { ...request, message }, site.origin)).status, 201);
  const [contact] = await listContacts(baseUrl, token);
  assert.ok(contact);
  const { mails, chats } = await arrivedBesides(scene, contact.id);
  assert.deepEqual(recipientsOf(mails), [mailed.all]);
  for (const { FromEmailAddress, ReplyToAddresses, Content } of mails) {
    assert.deepEqual([FromEmailAddress, ReplyToAddresses], [mailed.header, [request.email]]);
    assert.match(Content.Simple.Subject.Data, /^Contact request from Zoë O'Neill/);
    for (const line of message.split('\n')) assert.ok(Content.Simple.Body.Text.Data.includes(line));
    assert.ok(Content.Simple.Body.Html.Data.includes('&#60;cake&#62;'));
  }
  for (const { body } of chats) assert.ok(body.includes('cake'), body);

  const { headers, body } = await tried(scene, contact.id, 1);
  const [secret = ''] = (await notifications(scene, 'secret')).match(secretPattern) ?? [];
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(signed);
  assert.equal(headers['webhook-signature'], `v1,${signature.digest('base64')}`);
  const { type, data } = v.parse(notification, body);
  assert.deepEqual([type, data], ['contact.created', contact]);
  cast.steps.say('A mail that goes back to the visitor, a signed webhook, and a message for each chat');

  await notifications(scene, 'test');
  cast.steps.say('`notifications test` reaches each target');
};

/** Each form reaches its own address. Fan-out sends to all matching targets at once, so a wrong mail would come, too. */
const deliverByForm = async (scene: Scene): Promise<void> => {
  const posted = await Promise.all(
    Object.entries(mailed.byForm).map(async ([form, to]) => {
      const { id } = await post(scene, { 'form-name': form, _subject: `About ${form}` });
      return { id, form, to };
    }),
  );
  for (const { id } of posted) await arrivedBesides(scene, id, 2);
  for (const { id, form, to } of posted) {
    const mails = await mailsWith(scene, id);
    assert.deepEqual(recipientsOf(mails), [mailed.all, to]);
    for (const { Content } of mails) assert.equal(Content.Simple.Subject.Data, `About ${form}: Zoë O'Neill`);
  }
  scene.cast.steps.say('Sales and support get the mails of their own forms only, with the subjects of the forms');
};

const releaseSpam = async (scene: Scene): Promise<void> => {
  const { cast, deployed } = scene;
  const spam = await post(scene, { _gotcha: 'https://spam.example.com' });
  // A notification about the spam would come before this one's.
  const { id } = await post(scene);
  await Promise.all([arrivedBesides(scene, id), tried(scene, id, 1)]);
  assert.deepEqual(webhooksWith(scene, '/signed', spam.id), []);
  const [caught] = await until(
    `${spam.id} at the address for spam`,
    async () => {
      const mails = await mailsWith(scene, spam.id);
      return mails.length > 0 ? mails : undefined;
    },
    cast.signal,
  );
  assert.match(caught?.Content.Simple.Subject.Data ?? '', /^\[Spam: trap\] Contact request from /);
  assert.deepEqual(recipientsOf(await mailsWith(scene, spam.id)), [mailed.spam]);
  assert.deepEqual(recipientsOf(await mailsWith(scene, id)), [mailed.all]);

  await cast.operator.staff('contacts', 'release', spam.id, '--env', deployed.environment);
  const { type, data } = v.parse(notification, (await tried(scene, spam.id, 1)).body);
  assert.deepEqual([type, data.id], ['contact.released', spam.id]);
  await arrivedBesides(scene, spam.id, 2);
  assert.deepEqual(recipientsOf(await mailsWith(scene, spam.id)), [mailed.all, mailed.spam]);
  cast.steps.say('Only the address for spam hears of spam before it is released, and only the others then');
};

/** A receiver fails until its message is in the dead-letter queue; moved back, it arrives. */
const redrive = async (scene: Scene, { queue }: Target): Promise<void> => {
  const { cast, deployed } = scene;
  const { aws, emulator, receiver, signal, steps } = cast;
  const deadLetters = deployed.outputs['DeadLetters'] ?? '';
  // The template says 960 times, one every minute and a half: nobody waits for so many.
  const asBefore = await aws.giveUpAfter(queue, 2);
  receiver.status = 500;
  const { id } = await post(scene);
  await arrivedBesides(scene, id);
  const [letter] = await until(
    'a message in the dead-letter queue',
    async () => {
      const letters = await emulator.messagesIn(deadLetters);
      return letters.length > 0 ? letters : undefined;
    },
    signal,
  );
  await asBefore();
  assert.ok(letter?.includes(id) && !letter.includes(request.email), 'The message has personal data');
  assert.equal(webhooksWith(scene, '/signed', id).length, 2);
  steps.say('While a receiver fails, the other targets do not wait; the message goes to the dead-letter queue');

  receiver.status = 204;
  await aws.moveBack(deadLetters);
  await tried(scene, id, 3);
  const ids = webhooksWith(scene, '/signed', id).map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(await emulator.messagesIn(deadLetters), []);
  steps.say('Moved back, it arrives with the same webhook-id');
};

/** No log has personal data of the visitor, or a secret, in it. */
const readLogs = async ({ cast }: Scene): Promise<void> => {
  const printed = await cast.emulator.log();
  assert.ok(printed.includes('"notification delivered"'), 'The log of the functions is not there');
  for (const datum of [request.email, request.lastName, request.message]) {
    assert.ok(!printed.includes(datum), `In a log: ${datum}`);
  }
  assert.equal(secretPattern.test(printed), false);
};

export const rehearseNotifications = async (scene: Scene): Promise<void> => {
  const { steps } = scene.cast;
  const targets = targetsIn(scene.deployed.outputs);
  const signed = targets.find(({ kind }) => kind === 'webhook');
  assert.ok(signed && targets.length === 5 + chatSecrets.length);
  await steps.run('Send a form, and get it by mail, webhook and in each chat', () => deliver(scene));
  await steps.run('Send the forms of sales and support', () => deliverByForm(scene));
  await steps.run('Release spam', () => releaseSpam(scene));
  await steps.run('Move a message back from the dead-letter queue', () => redrive(scene, signed));
  await steps.run('Look for personal data in the logs', () => readLogs(scene));
};
