import { StaffError } from '../command-line/staff-error.ts';
import type { Place } from '../place.ts';
import type { Deployment } from './deployment.ts';

/**
 * Finds what a deployed environment is made of.
 * @throws {StaffError} of `local`, or when it is not deployed
 */
export const openDeployment = async (place: Place): Promise<Deployment> => {
  if (place === 'local') {
    throw new StaffError(
      'The doctor looks at a deployed environment: name it, as in "npx crcs doctor --env prod". What the local service has to say it says where it runs.',
    );
  }
  return (await import('./deployment.ts')).openDeployment(place);
};
