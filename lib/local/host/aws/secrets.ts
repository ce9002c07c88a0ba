import { randomInt, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { readOwnFile, writeOwnFile } from '../store/own-file.ts';
import type { SecretDefinition } from '../template/definitions.ts';
import { fault, notServed, type ServiceCall } from './service-server.ts';

const name = 'secrets.json';

/** By the secrets' names; times are in milliseconds since the epoch. */
const keptSchema = v.record(v.string(), v.object({ id: v.string(), value: v.string(), createdAt: v.number() }));

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const generate = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/**
 * The secret of an ARN, if the data directory has it.
 * @throws {Error} one line, when the file cannot be read
 */
export const readKeptSecret = async (dataDir: string, arn: string): Promise<string | undefined> =>
  (await readOwnFile(dataDir, name, keptSchema))?.[arn.slice(arn.lastIndexOf(':') + 1)]?.value;

const getSchema = v.strictObject({
  SecretId: v.string(),
  VersionStage: v.optional(v.picklist(['AWSCURRENT', 'AWSPREVIOUS']), 'AWSCURRENT'),
});

/**
 * The operation GetSecretValue of AWS Secrets Manager. Each secret of the template gets its one value at the first start;
 * the values stay in a file of the data directory, for its owner alone.
 * @throws {Error} one line, when the file cannot be read
 */
export const createSecretsManager = async (
  dataDir: string,
  definitions: readonly SecretDefinition[],
  clock: Clock,
): Promise<ServiceCall> => {
  const earlier = (await readOwnFile(dataDir, name, keptSchema)) ?? {};
  const missing = definitions.filter((secret) => earlier[secret.name] === undefined);
  const made = missing.map((secret) => [
    secret.name,
    { id: randomUUID(), value: generate(secret.length), createdAt: clock.now() },
  ]);
  const kept: typeof earlier = { ...earlier, ...Object.fromEntries(made) };
  if (missing.length > 0) await writeOwnFile(dataDir, name, kept);

  return async (target, body) => {
    const input = v.safeParse(getSchema, body);
    if (target !== 'secretsmanager.GetSecretValue' || !input.success) return notServed(target);
    const { SecretId, VersionStage } = input.output;
    const definition = definitions.find((secret) => SecretId === secret.name || SecretId === secret.arn);
    const version = definition && kept[definition.name];
    // Nothing rotates a secret here: none has a value before.
    if (!version || VersionStage === 'AWSPREVIOUS') {
      return fault(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return {
      status: 200,
      body: {
        ARN: definition.arn,
        CreatedDate: version.createdAt / 1000,
        Name: definition.name,
        SecretString: version.value,
        VersionId: version.id,
        VersionStages: [VersionStage],
      },
    };
  };
};
