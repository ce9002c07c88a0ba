import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type DeployedSettings, type DeployedTargets, targetsIn } from '../../infrastructure/outputs.ts';
import type { AwsClient, ClientOptions } from '../../shared/aws.ts';
import type { EnvironmentTables } from '../../shared/environment-tables.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { FilesBucket } from './files-bucket.ts';

/** What `--env` or `--stack` names. Neither means `local`. */
export interface Choice {
  readonly env?: string | undefined;
  readonly stack?: string | undefined;
}

/** Makes a client of an AWS service in the account and region of an environment. */
export type ClientMaker = <Client extends AwsClient>(
  Client: new (options: ClientOptions & { readonly region: string }) => Client,
  /** How long to wait for each response, in milliseconds. */
  timeout?: number,
) => Client;

/** What only the service on this machine has. */
export interface LocalService {
  readonly dataDir: string;
  /** The secrets that its settings name, each with the setting. None on a service that serves no visitors. */
  readonly neededSecrets: readonly { readonly name: string; readonly setting: string }[];
  /** Reads a secret by its name or ARN. */
  readonly readSecret: (id: string) => Promise<string | undefined>;
  readonly saveSecret: (name: string, value: string) => Promise<void>;
  /** All data as an archive for `tar`. */
  readonly backUp: () => AsyncIterable<Uint8Array>;
}

/** The environment that a command works on: the local service, or a deployed stack. */
export interface StaffEnvironment extends AsyncDisposable {
  /** `local`, the name of an environment in the settings, or of a stack. */
  readonly name: string;
  /** The option that chooses it, for printed commands: `--env prod`. */
  readonly chosenBy: string;
  /** The stack with its account and region, for people; absent on `local`. */
  readonly where?: string;
  /** Absent on `local`. */
  readonly stack?: { readonly name: string; readonly account: string; readonly region: string };
  readonly outputs: Readonly<Record<string, string | undefined>>;
  /** The settings that it was deployed with. */
  readonly settings: DeployedSettings;
  readonly tables: EnvironmentTables;
  readonly dynamodb: DynamoDBDocumentClient;
  /** Absent unless its settings have `files`. */
  readonly files?: FilesBucket | undefined;
  /** The client ends with the environment. Throws on `local`. */
  readonly client: ClientMaker;
  /** Absent on a deployed environment. */
  readonly local?: LocalService;
  /** Opens the service on this machine, to copy from it. Absent on `local`. */
  readonly openLocal?: () => Promise<StaffEnvironment>;
  /** The time of the environment: this machine's clock may be wrong. */
  readonly now: () => Date;
  /** Ends all connections, and closes a local store that was opened. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** @throws {StaffError} if the environment has no targets of notifications */
export const findTargets = ({ name, stack, outputs }: StaffEnvironment): DeployedTargets => {
  const found = targetsIn(outputs);
  if (found) return found;
  throw new StaffError(
    stack
      ? `"${name}" has no notification targets: set notifications (see docs/settings.md) and deploy.`
      : 'The local service notifies nobody: start it with a target, as in "NOTIFY_WEBHOOK=http://127.0.0.1:9000/ npm start".',
  );
};
