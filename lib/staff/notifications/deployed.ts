import { deployedSettingsIn } from '../../infrastructure/deployed-settings.ts';
import { stackName } from '../../infrastructure/stack-name.ts';
import { describeStack } from '../aws/stack.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { type StaffNotifications, targetsIn } from './notifications.ts';

/**
 * Finds who is told of a deployed environment's contact requests, by its stack's outputs.
 * @throws {StaffError} when nobody is, or it is not deployed; what the SDK throws without credentials, region or network
 */
export const openDeployedNotifications = async (environment: string): Promise<StaffNotifications> => {
  const { outputs, where, now } = await describeStack(environment);
  const found = targetsIn(outputs);
  const paused = deployedSettingsIn(outputs)?.notificationsPaused ?? false;
  if (found) return { ...found, paused, aws: {}, where, now, close: async () => {} };
  throw new StaffError(
    `"${environment}" tells nobody of contact requests: set its notifications in lib/environments.ts (docs/settings.md) and run "npx cdk deploy ${stackName(environment)}".`,
  );
};
