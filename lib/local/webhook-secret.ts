import { targetsIn } from '../staff/notifications/notifications.ts';
import { readKeptSecret } from './host/aws/secrets.ts';

/** The secret by which the webhook of a stack's outputs is signed, as Standard Webhooks writes it; nothing if there is none. */
export const readWebhookSecret = async (
  dataDir: string,
  outputs: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const signed = targetsIn(outputs)?.targets.find((target) => target.kind === 'standard');
  const secret = signed && (await readKeptSecret(dataDir, signed.secret));
  return secret === undefined ? undefined : `whsec_${secret}`;
};
