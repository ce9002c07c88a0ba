import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { errorName, LoggableError, type TimeoutAfter, withDeadline } from './calls.ts';

/** Milliseconds after which a secret is read again. */
const maxAge = 5 * 60 * 1000;

/** Milliseconds for reading a secret's versions. */
const readTimeout = 2_000;

/**
 * Caches a secret from its first use.
 * @throws {LoggableError} if the secret cannot be read
 */
export const cached = <Secret>(
  read: (signal: AbortSignal, time: number) => Promise<Secret>,
  timeoutAfter: TimeoutAfter,
  now: () => Date,
): (() => Promise<Secret>) => {
  let known: { readonly secret: Secret; readonly readAt: number } | undefined;
  return async () => {
    const time = now().getTime();
    if (known && time - known.readAt < maxAge) return known.secret;
    try {
      known = { secret: await withDeadline(timeoutAfter(readTimeout), (signal) => read(signal, time)), readAt: time };
    } catch (error) {
      throw new LoggableError(`secret ${error instanceof v.ValiError ? 'unusable' : errorName(error)}`);
    }
    return known.secret;
  };
};

export const readSecret = (
  client: SecretsManagerClient,
  id: string,
  abortSignal: AbortSignal,
  stage: 'AWSCURRENT' | 'AWSPREVIOUS' = 'AWSCURRENT',
) => client.send(new GetSecretValueCommand({ SecretId: id, VersionStage: stage }), { abortSignal });

/**
 * Reads a secret that an operator stored, by its name.
 * @param value its rule; an editor may have added a line break at its end
 */
export const namedSecret = (
  client: SecretsManagerClient,
  name: string,
  value: v.GenericSchema<string, string>,
  timeoutAfter: TimeoutAfter,
  now: () => Date,
): (() => Promise<string>) => {
  const schema = v.object({ SecretString: v.pipe(v.string(), v.trim(), value) });
  return cached(
    async (signal) => v.parse(schema, await readSecret(client, name, signal)).SecretString,
    timeoutAfter,
    now,
  );
};
