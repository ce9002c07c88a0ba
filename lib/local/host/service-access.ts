import { findAnnouncedStore } from './dynamodb/announcement.ts';

/** What a service that runs has, besides its store. */
export interface RunningService {
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Where its SQS, Secrets Manager, SES and Lambda answer, and to which credential; nothing when its stack has none. */
  readonly services?: { readonly endpoint: string; readonly accessKeyId: string };
}

/**
 * Finds the service that runs on a data directory, for another command.
 * @returns nothing when none runs
 * @throws {Error} one line, when what it has announced cannot be read
 */
export const findRunningService = async (dataDir: string): Promise<RunningService | undefined> => {
  const running = await findAnnouncedStore(dataDir);
  if (!running) return undefined;
  const { outputs, services, accessKeyId } = running;
  return { outputs, ...(services !== undefined && { services: { endpoint: services, accessKeyId } }) };
};
