import { Webhook } from 'standardwebhooks';
import type { Deliver } from './deliver.ts';
import type { PostJson } from './post.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/**
 * Delivers by Standard Webhooks, signed with each of the secrets.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const deliverToWebhook =
  (url: string, secrets: SigningSecrets, post: PostJson, now: () => Date): Deliver =>
  async ({ id, type, timestamp, contact }) => {
    const body = JSON.stringify({ type, timestamp, data: contact });
    const keys = await secrets();
    const time = now();
    await post({
      url,
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
        'webhook-signature': keys.map((key) => new Webhook(key).sign(id, time, body)).join(' '),
      },
    });
  };
