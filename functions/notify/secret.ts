import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { DeliveryError, nameOf, type TimeLimit, withDeadline } from './deliver.ts';

const minute = 60 * 1000;

/** Milliseconds after which a secret is read again. */
const maxAge = 5 * minute;

/** Milliseconds after a rotation during which the previous secret signs, too. */
export const rotationOverlap = 24 * 60 * minute;

/** Milliseconds for reading a secret's versions. */
const readLimit = 2_000;

type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';

/** Caches a secret from its first use. */
const cached = <Secret>(
  read: (signal: AbortSignal, time: number) => Promise<Secret>,
  limit: TimeLimit,
  now: () => Date,
): (() => Promise<Secret>) => {
  let known: { readonly secret: Secret; readonly readAt: number } | undefined;
  return async () => {
    const time = now().getTime();
    if (known && time - known.readAt < maxAge) return known.secret;
    try {
      known = { secret: await withDeadline(limit(readLimit), (signal) => read(signal, time)), readAt: time };
    } catch (error) {
      throw new DeliveryError(`secret ${error instanceof v.ValiError ? 'unusable' : nameOf(error)}`);
    }
    return known.secret;
  };
};

const readSecret = (client: SecretsManagerClient, id: string, stage: Stage, abortSignal: AbortSignal) =>
  client.send(new GetSecretValueCommand({ SecretId: id, VersionStage: stage }), { abortSignal });

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
  limit: TimeLimit,
  now: () => Date,
): SigningSecrets => {
  const read = async (stage: Stage, signal: AbortSignal) =>
    v.parse(signingSecret, await readSecret(client, arn, stage, signal));
  return cached(
    async (signal, time) => {
      const current = await read('AWSCURRENT', signal);
      if (time - current.CreatedDate.getTime() > rotationOverlap) return [current.SecretString];
      const previous = await read('AWSPREVIOUS', signal).catch((error) => {
        // There is none, or one that never signed anything.
        if (error instanceof ResourceNotFoundException || error instanceof v.ValiError) return undefined;
        throw error;
      });
      return [current.SecretString, ...(previous ? [previous.SecretString] : [])];
    },
    limit,
    now,
  );
};

/** A URL that an operator stored, perhaps with a line break at its end. */
const urlSecret = v.object({ SecretString: v.pipe(v.string(), v.trim(), v.url(), v.startsWith('https://')) });

/** Reads a secret URL by the secret's name. */
export const secretUrl = (
  client: SecretsManagerClient,
  name: string,
  limit: TimeLimit,
  now: () => Date,
): (() => Promise<string>) =>
  cached(
    async (signal) => v.parse(urlSecret, await readSecret(client, name, 'AWSCURRENT', signal)).SecretString,
    limit,
    now,
  );
