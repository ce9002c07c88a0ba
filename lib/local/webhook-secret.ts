import { targetsIn } from '../staff/notifications/notifications.ts';
import type { Host } from './host/host.ts';

/** The secret of the webhook that is told of contact requests, as Standard Webhooks writes it; nothing when there is none. */
export const readWebhookSecret = async ({
  outputs,
  services,
  store,
}: Pick<Host, 'outputs' | 'services' | 'store'>): Promise<string | undefined> => {
  const signed = targetsIn(outputs)?.targets.find((target) => target.kind === 'webhook');
  if (!signed || services === undefined) return undefined;
  // A while to load, for who is told by a webhook only.
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const client = new SecretsManagerClient({
    endpoint: services,
    region: 'local',
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: 'local' },
  });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: signed.secret }));
  client.destroy();
  return `whsec_${SecretString}`;
};
