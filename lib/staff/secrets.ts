import { randomBytes } from 'node:crypto';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { rotationOverlap } from '../../functions/notify/secret.ts';
import type { DeployedTarget } from '../infrastructure/outputs.ts';
import type { Staff } from './command.ts';
import type { Environment } from './environment.ts';
import { findTargets } from './find-targets.ts';
import { print, printJson, printJsonList } from './output.ts';
import { block, type Entry } from './print-table.ts';
import { StaffError } from './staff-error.ts';

interface Webhook extends DeployedTarget {
  readonly secret: string;
}

interface Secrets {
  readonly current: string;
  /** The former secret, while it still signs. */
  readonly former?: { readonly secret: string; readonly until: Date };
}

/** As Standard Webhooks writes a secret: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const written = (secret: string) => (secret.startsWith('whsec_') ? secret : `whsec_${secret}`);

const version = v.object({ SecretString: v.string(), CreatedDate: v.date() });

const readVersion = async (client: SecretsManagerClient, SecretId: string, VersionStage: string) => {
  try {
    return v.parse(version, await client.send(new GetSecretValueCommand({ SecretId, VersionStage })));
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

/** @throws {StaffError} if it is missing */
const readSecrets = async (environment: Environment, { name, secret }: Webhook): Promise<Secrets> => {
  if (environment.savedSecret) {
    const saved = await environment.savedSecret(secret);
    if (saved !== undefined) return { current: written(saved) };
    throw new StaffError(`The secret of ${name} is missing: start the local service once.`);
  }
  const client = environment.client(SecretsManagerClient);
  const current = await readVersion(client, secret, 'AWSCURRENT');
  if (!current) throw new StaffError(`The secret of ${name} is missing: deploy the environment again.`);
  const until = new Date(current.CreatedDate.getTime() + rotationOverlap);
  const former = until > environment.now() ? await readVersion(client, secret, 'AWSPREVIOUS') : undefined;
  return {
    current: written(current.SecretString),
    ...(former && { former: { secret: written(former.SecretString), until } }),
  };
};

/** @throws {StaffError} if the environment has no webhook, or none of that name */
const findWebhooks = (environment: Environment, name?: string): readonly Webhook[] => {
  const webhooks = findTargets(environment).targets.flatMap(({ secret, ...target }) =>
    secret === undefined ? [] : [{ ...target, secret }],
  );
  const names = webhooks.map((webhook) => webhook.name);
  if (webhooks.length === 0) {
    throw new StaffError(`"${environment.name}" has no webhook. Only webhooks have a signing secret.`);
  }
  if (name === undefined) return webhooks;
  const found = webhooks.filter((webhook) => webhook.name === name);
  if (found.length === 0) throw new StaffError(`There is no webhook "${name}": choose from ${names.join(', ')}.`);
  return found;
};

/**
 * Prints the secret that signs each webhook, or one.
 * @throws {StaffError} if there is no such webhook
 */
export const printSecrets = async (staff: Staff, target: string | undefined, json: boolean): Promise<void> => {
  const { environment } = staff;
  const webhooks = findWebhooks(environment, target);
  const all = await Promise.all(
    webhooks.map(async (webhook) => ({ webhook, ...(await readSecrets(environment, webhook)) })),
  );
  if (json) {
    const items = all.map(({ webhook, current, former }) => ({
      target: webhook.name,
      url: webhook.address,
      secret: current,
      previous: former?.secret,
      previousSignsUntil: former?.until.toISOString(),
    }));
    return printJsonList(staff, [items]);
  }
  const blocks = all.map(({ webhook, current, former }) => {
    const formerEntry: readonly Entry[] = former
      ? [['former', `${former.secret}\nstill signs until ${former.until.toISOString()}`]]
      : [];
    return block([['target', webhook.name], ['url', webhook.address], ['secret', current], ...formerEntry]);
  });
  return print(staff, [blocks.join('\n')]);
};

/** 44 letters and digits are the base64 of 33 bytes. Secrets Manager makes the first secret in the same form. */
const generateSecret = (): string => {
  for (;;) {
    const secret = randomBytes(33).toString('base64');
    if (/^[A-Za-z0-9]{44}$/.test(secret)) return secret;
  }
};

/**
 * Makes a new secret for a webhook and prints it; for a day both sign.
 * @throws {StaffError} if there is no such webhook, or its last rotation is less than a day ago
 */
export const rotateSecret = async (staff: Staff, target: string, json: boolean): Promise<void> => {
  const { environment } = staff;
  for (const webhook of findWebhooks(environment, target)) {
    const { former } = await readSecrets(environment, webhook);
    if (former) {
      throw new StaffError(
        `${target} was rotated less than a day ago, and its receiver may still use the former secret: wait until ${former.until.toISOString()}.`,
      );
    }
    const secret = generateSecret();
    await environment
      .client(SecretsManagerClient)
      .send(new PutSecretValueCommand({ SecretId: webhook.secret, SecretString: secret }));
    const until = new Date(environment.now().getTime() + rotationOverlap).toISOString();
    staff.stderr.write(
      `Give this secret to the receiver of ${target}. The new secret signs within five minutes, the former one until ${until}.\n`,
    );
    const made = { target, url: webhook.address, secret: written(secret), previousSignsUntil: until };
    await (json ? printJson(staff, made) : print(staff, [`${made.secret}\n`]));
  }
};
