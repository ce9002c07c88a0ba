import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { Failure, nameOf } from './failure.ts';
import { type TimeLimit, within } from './time-limit.ts';

/** A secret that can be signed with: base64, with or without the prefix by which people know it. */
const secretValue = v.object({
  SecretString: v.pipe(v.string(), v.regex(/^(whsec_)?([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)),
  CreatedDate: v.date(),
});

const minute = 60 * 1000;

/** How long a secret is used before it is looked for a newer one. */
const fresh = 5 * minute;

/** How long the one before is used besides, from when the newer one was made, in milliseconds. */
export const overlap = 24 * 60 * minute;

/** For all that is read at a time, in milliseconds. */
const readLimit = 4_000;

/** The secrets to sign with, the newest first. */
export type SigningSecrets = () => Promise<readonly string[]>;

/**
 * The secrets as Secrets Manager has them: the current one and, for a day after a rotation, the one before.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html#term_version
 */
export const signingSecrets = (
  client: SecretsManagerClient,
  arn: string,
  limit: TimeLimit,
  now: () => Date,
): SigningSecrets => {
  let known: { readonly secrets: readonly string[]; readonly readAt: number } | undefined;

  const read = async (stage: 'AWSCURRENT' | 'AWSPREVIOUS', abortSignal: AbortSignal) =>
    v.parse(
      secretValue,
      await client.send(new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }), { abortSignal }),
    );

  const readAll = async (signal: AbortSignal, time: number) => {
    const current = await read('AWSCURRENT', signal);
    if (time - current.CreatedDate.getTime() > overlap) return [current.SecretString];
    const previous = await read('AWSPREVIOUS', signal).catch((error) => {
      // There is none, or one that nothing was ever signed with.
      if (error instanceof ResourceNotFoundException || error instanceof v.ValiError) return undefined;
      throw error;
    });
    return [current.SecretString, ...(previous ? [previous.SecretString] : [])];
  };

  return async () => {
    const time = now().getTime();
    if (known && time - known.readAt < fresh) return known.secrets;
    try {
      known = { secrets: await within(limit(readLimit), (signal) => readAll(signal, time)), readAt: time };
    } catch (error) {
      throw new Failure(`secret ${error instanceof v.ValiError ? 'unusable' : nameOf(error)}`);
    }
    return known.secrets;
  };
};
