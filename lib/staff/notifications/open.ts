import type { StaffNotifications } from './notifications.ts';

/**
 * Finds who is told of an environment's contact requests: `local` or the name of a deployed one.
 * @throws {StaffError} when nobody is
 */
export const openNotifications = async (environment: string): Promise<StaffNotifications> => {
  if (environment !== 'local') return (await import('./deployed.ts')).openDeployedNotifications(environment);
  const [{ openLocalNotifications }, { isolate }] = await Promise.all([
    import('./local.ts'),
    import('../../local/host/isolation.ts'),
  ]);
  return openLocalNotifications(isolate(process.env));
};
