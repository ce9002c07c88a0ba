import * as v from 'valibot';
import { noEffect } from './properties.ts';
import type { ReadResources } from './resources.ts';

/** A secret, as the template defines it: its first value is made of letters and digits. */
export interface SecretDefinition {
  readonly name: string;
  readonly arn: string;
  readonly length: number;
}

const secretSchema = v.strictObject({
  Description: noEffect,
  GenerateSecretString: v.strictObject({
    ExcludePunctuation: v.literal(true),
    PasswordLength: v.optional(v.pipe(v.number(), v.minValue(3)), 32),
  }),
  KmsKeyId: noEffect,
  Name: noEffect,
  Tags: noEffect,
});

/** Reads the template's secrets. */
export const readSecrets = (read: ReadResources): readonly SecretDefinition[] =>
  read('AWS::SecretsManager::Secret', secretSchema).map(({ name, arn, properties: { GenerateSecretString } }) => ({
    name,
    arn,
    length: GenerateSecretString.PasswordLength,
  }));
