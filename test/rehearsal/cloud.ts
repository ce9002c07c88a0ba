import type { Capability } from '../acceptance/settings.ts';
import type { Patience } from '../support/until.ts';

/** Where the service is deployed: an emulator, or AWS itself (test/verify/). */
export interface Cloud {
  /** For a command that is to use it. */
  readonly env: NodeJS.ProcessEnv;
  /** Besides, for the staff command. */
  readonly staffEnv: NodeJS.ProcessEnv;
  /** The file of the CDK app, in the project. */
  readonly app: string;
  /** The parts of the acceptance suite that cannot pass there, with the reason for each. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>;
  /** How long it may take until what comes by itself is there, such as a webhook. */
  readonly patience: Patience;
  /** SQS moves messages back from a dead-letter queue. */
  readonly movesMessages: boolean;
  /** Gives the base URL of an API at which this machine reaches it. @param url the API's stage */
  withApi<Result>(url: string, use: (baseUrl: string) => Promise<Result>): Promise<Result>;
}
