import { randomBytes } from 'node:crypto';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { overlap } from '../../../functions/notify/secret.ts';
import { makeClient } from '../../aws/client.ts';
import { block, type Entry } from '../command-line/block.ts';
import { printJson, printJsonList } from '../command-line/json.ts';
import { print } from '../command-line/output.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { NotificationsStaff } from '../context.ts';
import type { Webhook } from './notifications.ts';

const version = v.object({ SecretString: v.string(), CreatedDate: v.date() });

interface Secrets {
  readonly current: string;
  /** The former secret, while it signs, too. */
  readonly former?: { readonly secret: string; readonly until: Date };
}

/** As Standard Webhooks writes a secret: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const written = (secret: string) => (secret.startsWith('whsec_') ? secret : `whsec_${secret}`);

const readVersion = async (client: SecretsManagerClient, SecretId: string, VersionStage: string) => {
  try {
    return v.parse(version, await client.send(new GetSecretValueCommand({ SecretId, VersionStage })));
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

const readSecrets = async (client: SecretsManagerClient, { name, secret }: Webhook, now: Date): Promise<Secrets> => {
  const current = await readVersion(client, secret, 'AWSCURRENT');
  if (!current) throw new StaffError(`The secret of ${name} is missing: deploy the environment again.`);
  const until = new Date(current.CreatedDate.getTime() + overlap);
  const former = until > now ? await readVersion(client, secret, 'AWSPREVIOUS') : undefined;
  return {
    current: written(current.SecretString),
    ...(former && { former: { secret: written(former.SecretString), until } }),
  };
};

const withClient = async <Result>(
  { notifications }: NotificationsStaff,
  work: (client: SecretsManagerClient) => Promise<Result>,
): Promise<Result> => {
  const client = makeClient(SecretsManagerClient, notifications.aws);
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
};

/** @throws {StaffError} if the environment has no webhook */
const webhooksOf = ({ notifications, environment }: NotificationsStaff): readonly Webhook[] => {
  const webhooks = notifications.targets.filter((target) => target.kind === 'webhook');
  if (webhooks.length > 0) return webhooks;
  throw new StaffError(`"${environment}" has no webhook, and other targets have no secret to sign with.`);
};

/** @throws {StaffError} if there is no such webhook */
const findWebhook = (staff: NotificationsStaff, name: string): Webhook => {
  const webhooks = webhooksOf(staff);
  const found = webhooks.find((webhook) => webhook.name === name);
  if (found) return found;
  throw new StaffError(`There is no webhook "${name}": choose from ${webhooks.map((each) => each.name).join(', ')}.`);
};

interface SecretOptions {
  readonly target?: string | undefined;
  readonly json: boolean;
}

/**
 * Prints the secret that signs each webhook, or one.
 * @throws {StaffError} if there is no such webhook
 */
export const printSecrets = async (staff: NotificationsStaff, { target, json }: SecretOptions): Promise<void> => {
  const webhooks = target === undefined ? webhooksOf(staff) : [findWebhook(staff, target)];
  const readAll = (read: (webhook: Webhook) => Promise<Secrets>) =>
    Promise.all(webhooks.map(async (webhook) => ({ webhook, ...(await read(webhook)) })));
  const { keptSecretOf } = staff.notifications;
  const all = keptSecretOf
    ? await readAll(async (webhook) => ({ current: written(await keptSecretOf(webhook)) }))
    : await withClient(staff, (client) => readAll((webhook) => readSecrets(client, webhook, staff.now)));
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
      ? [['former', `${former.secret}\nsigns, too, until ${former.until.toISOString()}`]]
      : [];
    return block([['target', webhook.name], ['url', webhook.address], ['secret', current], ...formerEntry]);
  });
  return print(staff, [blocks.join('\n')]);
};

/** 44 letters and digits are the base64 of 33 bytes: the stack has Secrets Manager make secrets of that form, too. */
const generateSecret = (): string => {
  for (;;) {
    const secret = randomBytes(33).toString('base64');
    if (/^[A-Za-z0-9]{44}$/.test(secret)) return secret;
  }
};

interface RotateOptions {
  readonly target: string;
  /** Rotates even while the former secret signs, which then no longer does. */
  readonly force: boolean;
  readonly json: boolean;
}

/**
 * Makes a new secret for a webhook and prints it; for a day the former one signs, too.
 * @throws {StaffError} if there is no such webhook, or its last rotation is less than a day ago
 */
export const rotateSecret = async (
  staff: NotificationsStaff,
  { target, force, json }: RotateOptions,
): Promise<void> => {
  const webhook = findWebhook(staff, target);
  const secret = generateSecret();
  await withClient(staff, async (client) => {
    const { former } = await readSecrets(client, webhook, staff.now);
    if (former && !force) {
      throw new StaffError(
        `${target} was rotated less than a day ago: a receiver with the former secret would refuse everything from now on. Wait until ${former.until.toISOString()}, or add --force.`,
      );
    }
    await client.send(new PutSecretValueCommand({ SecretId: webhook.secret, SecretString: secret }));
  });
  const until = new Date(staff.now.getTime() + overlap).toISOString();
  staff.stderr.write(`Give it to the receiver of ${target}: within five minutes both secrets sign, until ${until}.\n`);
  const made = { target, url: webhook.address, secret: written(secret), previousSignsUntil: until };
  return json ? printJson(staff, made) : print(staff, [`${made.secret}\n`]);
};
