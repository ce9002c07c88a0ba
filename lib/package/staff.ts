// The staff command of the package. It works on deployed stacks, and reads settings only from CRCS_SETTINGS.
import { loadSettings } from '../shared/settings-file.ts';
import { StaffError } from '../shared/staff-error.ts';
import { runAsProcess } from '../staff/cli.ts';

const refuseLocal = async () => {
  throw new StaffError('Name the deployed stack with --stack <name>. The local service needs a clone of the project.');
};

await runAsProcess({
  loadSettings: async () =>
    process.env['CRCS_SETTINGS'] ? loadSettings(process.env) : { file: 'there are none', environments: {} },
  openEnvironment: async (choice, environments) => {
    const { openEnvironment } = await import('../staff/environment/open-environment.ts');
    return openEnvironment(environments, choice, refuseLocal);
  },
});
