// The CDK app: what `npx cdk` synthesizes and deploys.
import { join } from 'node:path';
import { bundleFunctions } from '../lib/bundle.ts';
import { createCheckedApp } from '../lib/checks.ts';
import { EnvironmentError, environments } from '../lib/environments.ts';

try {
  const bundles = await bundleFunctions(join(import.meta.dirname, '..', 'cdk.out', 'functions'));
  createCheckedApp(environments, bundles).synth();
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
