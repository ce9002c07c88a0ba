import { json } from '../command-line/arguments.ts';
import { deploymentCommand } from '../command-line/command.ts';

export const doctorCommand = deploymentCommand({
  name: 'doctor',
  does: 'Looks at a deployed environment, changes nothing, and says what is not as it should be, each with what mends it. Ends with an error when something is wrong.',
  example: '--env prod',
  entries: { json },
  run: async (staff, options) => {
    const { examine } = await import('./examine.ts');
    await examine(staff, options);
  },
});
