// The CDK app, which `npx cdk` synthesizes and deploys.
import { join } from 'node:path';
import { bundleFunctions } from '../lib/infrastructure/bundle.ts';
import { createCheckedApp } from '../lib/infrastructure/checks.ts';
import { createGuardedApp } from '../lib/infrastructure/guard.ts';
import { SettingsError } from '../lib/shared/settings-error.ts';
import { loadSettings } from '../lib/shared/settings-file.ts';

try {
  const { environments } = await loadSettings(process.env);
  const bundle = () => bundleFunctions(join(import.meta.dirname, '..', 'cdk.out', 'functions'));
  (await createGuardedApp(createCheckedApp, environments, bundle, process.env)).synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
