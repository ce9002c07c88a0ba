import { join } from 'node:path';
import type { Construct } from 'constructs';
import { ContactService as Service } from './contact-service.ts';
import { type EnvironmentInput, parseEnvironment } from './settings.ts';

/** The settings of docs/settings.md, except account, region and tags: these are the stack's. */
export interface ContactServiceProps extends Omit<EnvironmentInput, 'account' | 'region' | 'tags'> {
  /** The environment, as in `prod`: the first segment of the base URL's path, and part of its metrics. */
  readonly name: string;
  /**
   * The tables resist deletion. Set it to false for a first deployment: if that fails, it leaves no table behind.
   * @defaultValue `retainData`
   */
  readonly deletionProtection?: boolean;
}

/**
 * The contact request and campaign service for a stack of your own CDK app. A stack can hold one: `npx --no-install crcs --stack` reads the
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
  /** @throws {SettingsError} a line for each error in the settings */
  constructor(scope: Construct, id: string, { name, deletionProtection, ...settings }: ContactServiceProps) {
    super(scope, id, {
      environment: parseEnvironment(name, settings),
      ...(deletionProtection !== undefined && { deletionProtection }),
      // Built with the package: lib/package/build.ts.
      bundles: join(import.meta.dirname, '..', '..', 'bundles'),
    });
  }
}
