import { randomBytes, randomUUID } from 'node:crypto';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { overlap } from '../../../functions/notify/secret.ts';
import { makeClient } from '../../aws/client.ts';
import { block, type Entry } from '../command-line/block.ts';
import { printJson, printJsonList } from '../command-line/json.ts';
import { print } from '../command-line/output.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { NotificationsStaff } from '../context.ts';
import { persist } from '../tables/persist.ts';
import type { SignedTarget, Target } from './notifications.ts';

/** As Standard Webhooks writes a secret: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const written = (secret: string) => (secret.startsWith('whsec_') ? secret : `whsec_${secret}`);

const version = v.object({ SecretString: v.string(), CreatedDate: v.date() });

interface Secrets {
  readonly current: string;
  /** The one before, while it signs, too. */
  readonly previous?: { readonly secret: string; readonly until: Date };
}

const isMissing = (error: unknown) => error instanceof Error && error.name === 'ResourceNotFoundException';

const readVersion = async (client: SecretsManagerClient, SecretId: string, VersionStage: string) => {
  try {
    return v.parse(version, await client.send(new GetSecretValueCommand({ SecretId, VersionStage })));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const readSecrets = async (
  client: SecretsManagerClient,
  { name, secret }: SignedTarget,
  now: Date,
): Promise<Secrets> => {
  const current = await readVersion(client, secret, 'AWSCURRENT');
  if (!current) throw new StaffError(`The secret of ${name} is missing: deploy the environment again.`);
  const until = new Date(current.CreatedDate.getTime() + overlap);
  const previous = until > now ? await readVersion(client, secret, 'AWSPREVIOUS') : undefined;
  return { current: current.SecretString, ...(previous && { previous: { secret: previous.SecretString, until } }) };
};

const isSigned = (target: Target): target is SignedTarget => target.kind === 'standard';

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

/**
 * Prints the secret of each target that gets what it is told signed.
 * @throws {StaffError} when there is no such target
 */
export const printSecrets = async (staff: NotificationsStaff, { json }: { readonly json: boolean }): Promise<void> => {
  const { notifications, now, environment } = staff;
  const signed = notifications.targets.filter(isSigned);
  if (signed.length === 0) {
    throw new StaffError(`No target of "${environment}" has a secret: only webhooks of the format standard have.`);
  }
  const readAll = (read: (target: SignedTarget) => Promise<Secrets>) =>
    Promise.all(signed.map(async (target) => ({ target, ...(await read(target)) })));
  const { keptSecretOf } = notifications;
  const all = keptSecretOf
    ? await readAll(async (target) => ({ current: await keptSecretOf(target) }))
    : await withClient(staff, (client) => readAll((target) => readSecrets(client, target, now)));
  if (json) {
    const items = all.map(({ target, current, previous }) => ({
      target: target.name,
      url: target.address,
      secret: written(current),
      ...(previous && { previous: written(previous.secret), previousSignsUntil: previous.until.toISOString() }),
    }));
    return printJsonList(staff, [items]);
  }
  const blocks = all.map(({ target, current, previous }) => {
    const before: readonly Entry[] = previous
      ? [['before', `${written(previous.secret)}\nsigns, too, until ${previous.until.toISOString()}`]]
      : [];
    return block([['target', target.name], ['url', target.address], ['secret', written(current)], ...before]);
  });
  return print(staff, [blocks.join('\n')]);
};

/** Letters and digits alone, 44 of them, are the base64 of 33 bytes: as the stack has Secrets Manager make a secret. */
const generateSecret = (): string => {
  for (;;) {
    const secret = randomBytes(33).toString('base64');
    // Every secret of that form is as likely as any other; one of four has it.
    if (/^[A-Za-z0-9]{44}$/.test(secret)) return secret;
  }
};

/** @throws {StaffError} when there is no such target, or it has no secret */
const findSigned = ({ notifications, environment }: NotificationsStaff, name: string): SignedTarget => {
  const names = notifications.targets.filter(isSigned).map((target) => target.name);
  const target = notifications.targets.find((each) => each.name === name);
  if (target && isSigned(target)) return target;
  const what = target ? `${name} has no secret` : `There is no target "${name}"`;
  const choice = names.length > 0 ? `those of "${environment}" with one are ${names.join(', ')}` : 'no target has one';
  throw new StaffError(`${what}: ${choice}.`);
};

export interface RotateOptions {
  /** Rotates also while the one before signs, which then signs no more. */
  readonly force: boolean;
  readonly json: boolean;
}

/**
 * Makes a new secret for a target, and prints it; the one before goes on signing beside it for a while.
 * @throws {StaffError} when there is no such target, or a former rotation is not over
 */
export const rotateSecret = async (
  staff: NotificationsStaff,
  name: string,
  { force, json }: RotateOptions,
): Promise<void> => {
  const target = findSigned(staff, name);
  const { current, previous } = await withClient(staff, async (client) => {
    const before = await readSecrets(client, target, staff.now);
    if (before.previous && !force) {
      throw new StaffError(
        `${name} was rotated less than a day ago: a receiver that still has the secret before would refuse what it gets from now on. Wait until ${before.previous.until.toISOString()}, or add --force.`,
      );
    }
    const secret = generateSecret();
    // Tried again with the same token, it is the same version.
    const put = new PutSecretValueCommand({
      SecretId: target.secret,
      SecretString: secret,
      ClientRequestToken: randomUUID(),
    });
    await persist(staff, () => client.send(put));
    return { current: secret, previous: new Date(staff.now.getTime() + overlap).toISOString() };
  });
  staff.stderr.write(
    `Give it to the receiver of ${name}: from five minutes on everything is signed with both, until ${previous}.\n`,
  );
  if (json) {
    await printJson(staff, {
      target: name,
      url: target.address,
      secret: written(current),
      previousSignsUntil: previous,
    });
  } else await print(staff, [`${written(current)}\n`]);
};
