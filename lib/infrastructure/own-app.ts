import { join } from 'node:path';
import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { SettingsError } from '../settings-error.ts';
import { ContactService as Service } from './contact-service.ts';
import { type EnvironmentInput, parseEnvironment } from './settings.ts';

/** Settings that an own app sets by properties of its stack instead. */
const stackProps = { account: 'env', region: 'env', tags: 'tags' } as const satisfies Partial<
  Record<keyof EnvironmentInput, string>
>;

/** The settings of docs/settings.md, except account, region and tags. */
export interface ContactServiceProps extends Omit<EnvironmentInput, keyof typeof stackProps> {
  /** The environment, as in `prod`: the first segment of the base URL's path, and part of its metrics. */
  readonly name: string;
  /**
   * The tables resist deletion. Set it to false for a first deployment: if that fails, it leaves no table behind.
   * @defaultValue `retainData`
   */
  readonly deletionProtection?: boolean;
}

/** @throws {SettingsError} a line for each error in the settings */
const parse = (scope: Construct, { name, ...settings }: Omit<ContactServiceProps, 'deletionProtection'>) => {
  const faults = Object.entries(stackProps)
    .filter(([setting]) => Object.hasOwn(settings, setting))
    .map(([setting, prop]) => `Environment "${name}": ${setting}: set the stack's ${prop} instead`);
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
  const { region } = Stack.of(scope);
  return parseEnvironment(name, { ...settings, ...(!Token.isUnresolved(region) && { region }) });
};

/**
 * The contact request and campaign service for a stack of your own CDK app. A stack can hold one: `npx crcs --stack` reads the
 * stack's outputs.
 *
 * @example
 * new ContactService(this, 'Contact', {
 *   name: 'prod',
 *   sites: [{ origin: 'https://www.example.com' }],
 *   alarmEmails: ['operations@example.com'],
 * });
 */
export class ContactService extends Service {
  constructor(scope: Construct, id: string, { deletionProtection, ...settings }: ContactServiceProps) {
    super(scope, id, {
      environment: parse(scope, settings),
      ...(deletionProtection !== undefined && { deletionProtection }),
      // Built with the package: lib/package/build.ts.
      bundles: join(import.meta.dirname, '..', '..', 'bundles'),
    });
  }
}
