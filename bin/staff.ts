// The staff command, which bin/crcs.cjs starts.
import { loadSettings } from '../lib/shared/settings-file.ts';
import { runAsProcess } from '../lib/staff/cli.ts';
import { readEnv } from './read-env.ts';

readEnv();
await runAsProcess({
  loadSettings: () => loadSettings(process.env),
  openEnvironment: async (choice, environments) => {
    const { openEnvironment } = await import('../lib/staff/environment/open-environment.ts');
    return openEnvironment(environments, choice, async (...given) =>
      (await import('../lib/staff/environment/open-local.ts')).openLocal(...given),
    );
  },
});
