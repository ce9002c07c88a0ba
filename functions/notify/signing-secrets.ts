import { ResourceNotFoundException, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import type { TimeoutAfter } from '../shared/calls.ts';
import { cached, readSecret } from '../shared/secret.ts';

/** Milliseconds after a rotation during which the previous secret signs, too. */
export const rotationOverlap = 24 * 60 * 60 * 1000;

/** A signing secret: base64, with or without its prefix. */
const signingSecret = v.object({
  SecretString: v.pipe(v.string(), v.regex(/^(whsec_)?([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)),
  CreatedDate: v.date(),
});

/** The secrets to sign with, newest first. */
export type SigningSecrets = () => Promise<readonly string[]>;

/**
 * The current secret and, for a day after a rotation, the previous one.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html#term_version
 */
export const signingSecrets = (
  client: SecretsManagerClient,
  arn: string,
  timeoutAfter: TimeoutAfter,
  now: () => Date,
): SigningSecrets => {
  const read = async (signal: AbortSignal, stage?: 'AWSPREVIOUS') =>
    v.parse(signingSecret, await readSecret(client, arn, signal, stage));
  return cached(
    async (signal, time) => {
      const current = await read(signal);
      if (time - current.CreatedDate.getTime() > rotationOverlap) return [current.SecretString];
      const previous = await read(signal, 'AWSPREVIOUS').catch((error) => {
        // There is no previous secret, or one that never signed anything.
        if (error instanceof ResourceNotFoundException || error instanceof v.ValiError) return undefined;
        throw error;
      });
      return [current.SecretString, ...(previous ? [previous.SecretString] : [])];
    },
    timeoutAfter,
    now,
  );
};
