import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { createdContact } from '../acceptance/contact.ts';
import { sendTo } from '../acceptance/http.ts';
import { deploy, withBaseUrl } from './deployed.ts';
import { withFiles } from './files.ts';
import { mailed, notificationsTo, site } from './settings.ts';
import { comes, type Rehearsal } from './steps.ts';

const mail = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Confirmation: v.object({
      Source: v.string(),
      To: v.array(v.string()),
      ReplyTo: v.array(v.string()),
      ConfigurationSetName: v.string(),
      RenderedSubject: v.string(),
      RenderedBodyText: v.string(),
      RenderedBodyHtml: v.string(),
    }),
  }),
);

const bits = 17;

/** A proof of work, as contact-form.js finds it. */
const proofFor = (key: string): string => {
  const minute = Math.floor(Date.now() / 60_000);
  for (let nonce = 0; ; nonce += 1) {
    const proof = `${minute}.${nonce}`;
    const hash = createHash('sha256').update(`${site.origin} ${key} ${proof}`).digest();
    if (hash.readUIntBE(0, 3) < 2 ** (24 - bits)) return proof;
  }
};

/** Sends a form with a proof, from the page of the site. @returns the contact request's id */
const send = async (baseUrl: string, fields: Readonly<Record<string, string>>): Promise<string> => {
  const key = randomUUID();
  const response = await sendTo(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: site.origin, 'Idempotency-Key': key },
    body: JSON.stringify({ ...fields, _proof: proofFor(key) }),
  });
  assert.equal(response.status, 201, response.text);
  return v.parse(createdContact, response.body).id;
};

const evil = { message: 'Buy at https://evil.example', firstName: 'evil', company: '\u202eevil {{site}}' };

/** Lets visitors get confirmations, by a role that can send nothing but the templates of the stack. */
export const rehearseConfirmation = async (cast: Rehearsal, environment: string): Promise<void> => {
  const { emulator, operator, receiver, steps } = cast;
  const settings = {
    ...withFiles,
    notifications: notificationsTo(receiver.url),
    spam: { proofOfWork: 'mark' as const },
    confirmation: true,
  };
  const deployed = await deploy(cast, environment, settings);
  const confirmations = async () =>
    (await emulator.mails())
      .filter((content) => content.startsWith('{"Confirmation"'))
      .map((content) => v.parse(mail, content).Confirmation);

  await withBaseUrl(cast, deployed, async (baseUrl) => {
    const id = await send(baseUrl, { ...evil, email: 'visitor@example.net' });
    const [sent] = await comes(cast, `the confirmation of ${id}`, async () => {
      const found = await confirmations();
      return found.length > 0 ? found : undefined;
    });
    assert.ok(sent);
    assert.deepEqual([sent.Source, sent.To, sent.ReplyTo], [mailed.header, ['visitor@example.net'], [mailed.all]]);
    assert.equal(sent.ConfigurationSetName, deployed.outputs['ConfirmationSet']);
    for (const part of [sent.RenderedBodyText, sent.RenderedBodyHtml]) {
      assert.ok(part.includes(id.slice(0, 8)) && part.includes(new URL(site.origin).host), part);
      assert.doesNotMatch(part, /evil|\{\{/);
    }
    assert.doesNotMatch(sent.RenderedSubject, /evil|\{\{/);
    steps.say('A confirmation by a template, with no word of the visitor');

    await send(baseUrl, { ...evil, email: 'Visitor+again@example.net' });
    const last = await send(baseUrl, { ...evil, email: 'other@example.net' });
    await comes(cast, `the confirmation of ${last}`, async () =>
      (await confirmations()).length > 1 ? true : undefined,
    );
    const recipients = (await confirmations()).flatMap(({ To }) => To).toSorted();
    assert.deepEqual(recipients, ['other@example.net', 'visitor@example.net']);
    steps.say('An address gets one');
  });
  const printed = await operator.staff('confirmations', 'resume', '--env', environment);
  assert.match(printed, /Confirmations were not stopped/);
};
