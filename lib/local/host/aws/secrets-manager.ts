import { randomInt } from 'node:crypto';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readOwnFile, writeOwnFile } from '../store/own-file.ts';
import type { SecretDefinition } from '../template/definitions.ts';
import { awsError, type ServiceCall, unsupported } from './service-call.ts';

const file = 'secrets.json';

/** The values by the names of the secrets. */
const keptSchema = v.record(v.string(), v.string());

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const generate = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

const read = (dataDir: string) =>
  readOwnFile(
    dataDir,
    file,
    keptSchema,
    'restore it from a copy, or delete it and start the service, which makes new secrets for all webhooks',
  );

/**
 * The value of a secret, by its name or ARN, if the data directory has it.
 * @throws {Error} one line if the file cannot be read
 */
export const readSavedSecret = async (dataDir: string, id: string): Promise<string | undefined> =>
  (await read(dataDir))?.[id.slice(id.lastIndexOf(':') + 1)];

/**
 * Keeps the value of a secret that the template does not define, by its name.
 * @throws {Error} one line if the file cannot be read
 */
export const saveSecret = async (dataDir: string, name: string, value: string): Promise<void> => {
  await writeOwnFile(dataDir, file, JSON.stringify({ ...(await read(dataDir)), [name]: value }));
  if (process.getuid?.() !== 0) return;
  // The service could not read what root has written.
  const { uid, gid } = await stat(dataDir);
  await chown(join(dataDir, file), uid, gid);
};

const getSchema = v.strictObject({ SecretId: v.string(), VersionStage: v.optional(v.literal('AWSCURRENT')) });

/**
 * The operation GetSecretValue of AWS Secrets Manager. Each secret of the template gets a value at the first start. A file of
 * the data directory, which only the owner can read, keeps the values, and those of other secrets, which an operator can add
 * at any time.
 * @param given values of other secrets, by name, instead of those in the file
 * @throws {Error} one line if the file cannot be read
 */
export const createSecretsManager = async (
  dataDir: string,
  definitions: readonly SecretDefinition[],
  given: Readonly<Record<string, string>>,
): Promise<ServiceCall> => {
  const earlier = (await read(dataDir)) ?? {};
  const missing = definitions.filter(({ name }) => earlier[name] === undefined);
  const kept = { ...earlier, ...Object.fromEntries(missing.map(({ name, length }) => [name, generate(length)])) };
  if (missing.length > 0) await writeOwnFile(dataDir, file, JSON.stringify(kept));

  return async (target, body) => {
    const input = v.safeParse(getSchema, body);
    if (target !== 'secretsmanager.GetSecretValue' || !input.success) return unsupported(target);
    const { SecretId } = input.output;
    const definition = definitions.find(({ name, arn }) => SecretId === name || SecretId === arn);
    const SecretString = definition ? kept[definition.name] : (given[SecretId] ?? (await read(dataDir))?.[SecretId]);
    if (SecretString === undefined) {
      return awsError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    // Local secrets are never rotated. After a recent date, the function would ask for the previous value too.
    return { status: 200, body: { SecretString, CreatedDate: 0 } };
  };
};
