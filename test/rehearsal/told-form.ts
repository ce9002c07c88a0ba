import assert from 'node:assert/strict';
import type { Contact } from '../acceptance/contact.ts';
import { read } from './arrivals.ts';
import { hasBrowser, sendForm } from './browser.ts';
import { listContacts, postForm } from './contacts.ts';
import { isTakenWith, request, type Scene, secretFrom, staff } from './scene.ts';
import { mailed } from './versions.ts';

/** As the visitor writes it into the one field of the form. */
const name = `${request.firstName} ${request.lastName}`;

/** Posts a form on a page of the site: in a browser, where there is one. @returns the contact request that is stored */
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
    steps.notShown(
      'a form in a real browser, since there is none (CHROMIUM says where it is): it was posted as one does',
    );
    assert.equal((await postForm(baseUrl, { name, email: request.email, message }, origin)).status, 201);
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
  cast.steps.say(
    'A webhook that is genuine for the Python library of Standard Webhooks and for hmac; a forged one is not',
  );
  assert.ok(slack.body.includes(JSON.stringify(contact.message).slice(1, -1)), slack.body);
  cast.steps.say('A message for Slack with all that was written');
};
