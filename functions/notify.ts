import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { contactStore } from './contacts/contact-store.ts';
import { contactsTable } from './contacts/contacts-table.ts';
import { deliverToChat } from './notify/chat.ts';
import { chats, chatUrl } from './notify/chats.ts';
import type { Deliver } from './notify/deliver.ts';
import { deliverByEmail } from './notify/email.ts';
import { notify } from './notify/notify.ts';
import { notifySettings } from './notify/notify-settings.ts';
import { createPost } from './notify/post.ts';
import { signingSecrets } from './notify/signing-secrets.ts';
import type { Target } from './notify/target.ts';
import { deliverToWebhook } from './notify/webhook.ts';
import type { Wording } from './notify/wording.ts';
import type { TimeoutAfter } from './shared/calls.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics } from './shared/metrics.ts';
import { namedSecret } from './shared/secret.ts';
import { readTableName, readVariables } from './shared/variables.ts';

const now = () => new Date();

const timeoutAfter: TimeoutAfter = (milliseconds) => AbortSignal.timeout(milliseconds);

const settings = readVariables(notifySettings);
const { environment, mailFrom: from = '', configurationSet, inboxOrigin } = settings;

const wording: Wording = {
  environment,
  inboxOrigin,
  subjects: new Map(settings.subjects),
  siteLanguages: new Map(settings.siteLanguages),
};

const ses = new SESv2Client();
const secrets = new SecretsManagerClient();
const post = createPost(timeoutAfter);

const deliverTo = (target: Target): Deliver => {
  switch (target.kind) {
    case 'email':
      return deliverByEmail(ses, { from, to: target.to, configurationSet, wording }, timeoutAfter);
    case 'webhook':
      return deliverToWebhook(target.url, signingSecrets(secrets, target.secret, timeoutAfter, now), post, now);
    default: {
      const url = namedSecret(secrets, target.secret, chatUrl, timeoutAfter, now);
      return deliverToChat(chats[target.kind], url, wording, post);
    }
  }
};

export const handler = notify({
  targets: new Map(Object.entries(settings.targets).map(([name, target]) => [name, deliverTo(target)])),
  spamTargets: settings.spamTargets,
  store: contactStore(createDocumentClient(), readTableName(contactsTable)),
  count: embeddedMetrics(environment, now),
  timeoutAfter,
  now,
});
