import { once } from 'node:events';
import { quoted } from '../../lib/shared/terminal-text.ts';
import type { Rehearsal } from './steps.ts';

/** What leads a shell to the emulator. */
const leadsThere = (name: string) => /^(AWS_|CDK_|CRCS_SETTINGS$|NODE_EXTRA_CA_CERTS$|NO_PROXY$)/.test(name);

/** Leaves the emulator up, with what the rehearsal deployed last, until Ctrl-C. Says how to practise on it. */
export const keepUp = async ({ emulator, operator, signal }: Rehearsal): Promise<void> => {
  const { settingsFile } = operator;
  const variables = Object.entries({ ...emulator.env, CRCS_SETTINGS: settingsFile });
  const lines = variables.flatMap(([name, value = '']) =>
    leadsThere(name) ? [`export ${name}=${quoted(value)}`] : [],
  );
  console.log(`
=== The emulator stays up until you press Ctrl-C here. To practise on it, paste this into another shell:

${lines.join('\n')}

Then, for example:
  npx cdk diff ContactService-prod
  npx --no-install crcs doctor --env prod
  npx --no-install crcs tables copy --from <table> --env prod   # docs/restore.md
The settings are in ${settingsFile}: change them to see what a deployment would do.`);
  if (!signal.aborted) await once(signal, 'abort');
};
