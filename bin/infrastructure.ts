// The CDK app: what `npx cdk` synthesizes and deploys.
import { join } from 'node:path';
import { environments } from '../lib/environments.ts';
import { bundleFunctions } from '../lib/infrastructure/bundle.ts';
import { createCheckedApp } from '../lib/infrastructure/checks.ts';
import { EnvironmentError } from '../lib/infrastructure/settings.ts';

try {
  const bundles = await bundleFunctions(join(import.meta.dirname, '..', 'cdk.out', 'functions'));
  createCheckedApp(environments, bundles).synth();
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
