import type { Place } from '../place.ts';
import type { StaffNotifications } from './notifications.ts';

/**
 * Finds the notifications of a place.
 * @throws {StaffError} if it has none
 */
export const openNotifications = async (place: Place): Promise<StaffNotifications> => {
  if (place !== 'local') return (await import('./deployed.ts')).openDeployedNotifications(place);
  const [{ openLocalNotifications }, { isolate }] = await Promise.all([
    import('./local.ts'),
    import('../../local/host/isolation.ts'),
  ]);
  return openLocalNotifications(isolate(process.env));
};
