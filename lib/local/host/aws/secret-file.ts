import { randomInt, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { readOwnFile, writeOwnFile } from '../store/own-file.ts';
import type { SecretDefinition } from '../template/secret-definition.ts';

const name = 'secrets.json';

const versionSchema = v.object({
  id: v.string(),
  value: v.string(),
  /** Milliseconds since the epoch. */
  createdAt: v.number(),
});

/** One value that a secret has, or had. */
export type SecretVersion = Readonly<v.InferOutput<typeof versionSchema>>;

const keptSecretsSchema = v.record(
  v.string(),
  v.object({ current: versionSchema, previous: v.optional(versionSchema) }),
);

/** The values of a secret: what stays of it across starts. */
export type KeptSecret = Readonly<v.InferOutput<typeof keptSecretsSchema>[string]>;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** As Secrets Manager does without other wishes, it holds a letter of either case and a digit. */
const generate = (length: number): string => {
  const value = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  return [/[A-Z]/, /[a-z]/, /\d/].every((each) => each.test(value)) ? value : generate(length);
};

/** The secrets of a data directory, by their names. */
export interface SecretFile {
  find(secret: string): KeptSecret | undefined;
  /** Keeps the values of a secret. Whoever asks for them before that is done gets those from before. */
  keep(secret: string, values: KeptSecret): Promise<void>;
}

/**
 * Opens the secrets of a data directory, where they stand for its owner alone. One that is not there yet is made; one that
 * the template has no more stays, for when it is back.
 * @throws {Error} one line, when the file cannot be read
 */
export const openSecretFile = async (
  dataDir: string,
  definitions: readonly SecretDefinition[],
  now: number,
): Promise<SecretFile> => {
  let kept = (await readOwnFile(dataDir, name, keptSecretsSchema)) ?? {};
  const missing = definitions.filter((definition) => kept[definition.name] === undefined);
  if (missing.length > 0) {
    const made = missing.map(({ name: secret, length }) => {
      const current = { id: randomUUID(), value: generate(length), createdAt: now };
      return [secret, { current }] as const;
    });
    kept = { ...kept, ...Object.fromEntries(made) };
    await writeOwnFile(dataDir, name, kept);
  }

  // One at a time: each writes all of them.
  let last = Promise.resolve();
  return {
    find: (secret) => kept[secret],
    keep: (secret, values) => {
      const turn = last.then(async () => {
        const changed = { ...kept, [secret]: values };
        await writeOwnFile(dataDir, name, changed);
        kept = changed;
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
};
