import { randomBytes } from 'node:crypto';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { rotationOverlap } from '../../../functions/notify/signing-secrets.ts';
import type { DeployedTarget } from '../../infrastructure/outputs.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import { findTargets } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import type { CommandIo } from '../tool/command-io.ts';
import { block, type Entry } from '../tool/text-table.ts';

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
const readSecrets = async (environment: StaffEnvironment, { name, secret }: Webhook): Promise<Secrets> => {
  if (environment.local) {
    const saved = await environment.local.readSecret(secret);
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

/** @throws {StaffError} if the environment has none */
const findWebhooks = (environment: StaffEnvironment): readonly Webhook[] => {
  const webhooks = findTargets(environment).targets.flatMap(({ secret, ...target }) =>
    secret === undefined ? [] : [{ ...target, secret }],
  );
  if (webhooks.length > 0) return webhooks;
  throw new StaffError(`"${environment.name}" has no webhook. Only webhooks have a signing secret.`);
};

/** @throws {StaffError} if the environment has no webhook of that name */
const findWebhook = (environment: StaffEnvironment, name: string): Webhook => {
  const webhooks = findWebhooks(environment);
  const found = webhooks.find((webhook) => webhook.name === name);
  if (found) return found;
  const names = webhooks.map((webhook) => webhook.name);
  throw new StaffError(`There is no webhook "${name}": choose from ${names.join(', ')}.`);
};

/**
 * Shows the secret that signs each webhook, or one.
 * @throws {StaffError} if there is no such webhook
 */
export const showSecrets = async (environment: StaffEnvironment, target: string | undefined): Promise<Result> => {
  const webhooks = target === undefined ? findWebhooks(environment) : [findWebhook(environment, target)];
  const all = await Promise.all(
    webhooks.map(async (webhook) => {
      const secrets = await readSecrets(environment, webhook);
      return { webhook, ...secrets };
    }),
  );
  const items = all.map(({ webhook, current, former }) => ({
    target: webhook.name,
    url: webhook.address,
    secret: current,
    previous: former?.secret,
    previousSignsUntil: former?.until.toISOString(),
  }));
  const blocks = all.map(({ webhook, current, former }) => {
    const entries: Entry[] = [
      ['target', webhook.name],
      ['url', webhook.address],
      ['secret', current],
    ];
    if (former) entries.push(['former', `${former.secret}\nstill signs until ${former.until.toISOString()}`]);
    return block(entries);
  });
  return { json: [items], text: blocks.join('\n') };
};

/** 44 letters and digits are the base64 of 33 bytes. Secrets Manager makes the first secret in the same form. */
const generateSecret = (): string => {
  for (;;) {
    const secret = randomBytes(33).toString('base64');
    if (/^[A-Za-z0-9]{44}$/.test(secret)) return secret;
  }
};

/**
 * Makes a new secret for a webhook; for a day both sign.
 * @throws {StaffError} if there is no such webhook, or its last rotation is less than a day ago
 */
export const rotateSecret = async (environment: StaffEnvironment, target: string, io: CommandIo): Promise<Result> => {
  const webhook = findWebhook(environment, target);
  const { former } = await readSecrets(environment, webhook);
  if (former) {
    throw new StaffError(
      `${target} was rotated less than a day ago, and its receiver may still use the former secret: wait until ${former.until.toISOString()}.`,
    );
  }
  const generated = generateSecret();
  await environment
    .client(SecretsManagerClient)
    .send(new PutSecretValueCommand({ SecretId: webhook.secret, SecretString: generated }));
  const until = new Date(environment.now().getTime() + rotationOverlap).toISOString();
  io.warn(
    `Give this secret to the receiver of ${target}. The new secret signs within five minutes, the former one until ${until}.`,
  );
  const secret = written(generated);
  return { json: { target, url: webhook.address, secret, previousSignsUntil: until }, text: `${secret}\n` };
};
