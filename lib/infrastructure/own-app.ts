import { join } from 'node:path';
import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ContactService as Service } from './contact-service.ts';
import { EnvironmentError, type EnvironmentInput, parseEnvironment } from './settings.ts';

/** What a stack has by itself, and an environment of the service's own app by its settings. */
const ofTheStack = { account: 'env', region: 'env', tags: 'tags' } as const satisfies Partial<
  Record<keyof EnvironmentInput, string>
>;

/** The settings of docs/settings.md, but for those that are the stack's. */
export interface ContactServiceProps extends Omit<EnvironmentInput, keyof typeof ofTheStack> {
  /** The environment, as in `prod`: the first segment of the base URL's path, and what its metrics are told apart by. */
  readonly name: string;
  /**
   * Whether the tables resist deletion. Without it a first deployment that fails can be made again: it leaves no table behind.
   * @defaultValue as `retainData` says
   */
  readonly deletionProtection?: boolean;
}

/** @throws {EnvironmentError} a line for each setting that is wrong */
const parse = (scope: Construct, { name, ...settings }: Omit<ContactServiceProps, 'deletionProtection'>) => {
  const faults = Object.entries(ofTheStack)
    .filter(([setting]) => Object.hasOwn(settings, setting))
    .map(([setting, prop]) => `Environment "${name}": ${setting}: is the stack's: write it into its ${prop}`);
  if (faults.length > 0) throw new EnvironmentError(faults.join('\n'));
  const { region } = Stack.of(scope);
  return parseEnvironment(name, { ...settings, ...(!Token.isUnresolved(region) && { region }) });
};

/**
 * The contact request and campaign service, in a stack of your own: one a stack, whose outputs `npx crcs --stack` reads.
 *
 * @example
 * new ContactService(this, 'Contact', {
 *   name: 'prod',
 *   sites: [{ origin: 'https://www.example.com' }],
 *   throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
 *   retainData: true,
 *   logRetentionDays: 90,
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
