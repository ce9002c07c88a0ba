// The staff command of the package, which crcs.cjs starts: for deployed stacks alone, and with settings only where some are named.
import { loadSettings } from '../settings-file.ts';
import { StaffError } from '../staff/command-line/staff-error.ts';
import type { Place, StackPlace } from '../staff/place.ts';
import { runAsProcess } from '../staff/process.ts';

const refuseLocal = (place: Place): StackPlace => {
  if (place !== 'local') return place;
  throw new StaffError(
    'Say which service: "--stack <name>" names the stack that it is in. (A local one runs in a clone of the project.)',
  );
};

await runAsProcess({
  loadSettings: async () =>
    process.env['CRCS_SETTINGS'] ? loadSettings(process.env) : { file: 'there are none', environments: {} },
  openTables: async (place) => {
    const stack = refuseLocal(place);
    return (await import('../staff/tables/deployed.ts')).openDeployedTables(stack);
  },
  openNotifications: async (place) => {
    const stack = refuseLocal(place);
    return (await import('../staff/notifications/deployed.ts')).openDeployedNotifications(stack);
  },
  openDeployment: async (place) => {
    const stack = refuseLocal(place);
    return (await import('../staff/doctor/deployment.ts')).openDeployment(stack);
  },
});
