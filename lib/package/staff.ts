// The staff command of the package, which crcs.cjs starts: for deployed stacks only, and with settings only if some are named.
import { loadSettings } from '../settings-file.ts';
import { runAsProcess } from '../staff/cli.ts';
import { StaffError } from '../staff/staff-error.ts';

const refuseLocal = async () => {
  throw new StaffError(
    'Name the stack of the service: "--stack <name>". The local service needs a clone of the project.',
  );
};

await runAsProcess({
  loadSettings: async () =>
    process.env['CRCS_SETTINGS'] ? loadSettings(process.env) : { file: 'there are none', environments: {} },
  openEnvironment: async (choice, environments) => {
    const { openEnvironment } = await import('../staff/environment.ts');
    return openEnvironment(environments, choice, refuseLocal);
  },
});
