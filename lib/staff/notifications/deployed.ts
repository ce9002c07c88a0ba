import { deployedSettingsIn } from '../../infrastructure/outputs.ts';
import { describeStack } from '../aws/stack.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StackPlace } from '../place.ts';
import { type StaffNotifications, targetsIn } from './notifications.ts';

/**
 * Finds the notifications of a deployed environment by its stack's outputs.
 * @throws {StaffError} if there are none, it is not deployed, or the credentials belong to another account; what the SDK
 * throws without credentials, region or network
 */
export const openDeployedNotifications = async (place: StackPlace): Promise<StaffNotifications> => {
  const { outputs, region, where, now } = await describeStack(place);
  const found = targetsIn(outputs);
  const paused = deployedSettingsIn(outputs)?.notificationsPaused ?? false;
  if (found) return { ...found, paused, aws: { region }, where, now, close: async () => {} };
  const { called, stack } = place;
  throw new StaffError(
    `"${called}" has no notifications: set them (docs/settings.md) and run "npx cdk deploy ${stack}".`,
  );
};
