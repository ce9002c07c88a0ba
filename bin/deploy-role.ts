// The CDK app with the roles that a workflow deploys by: docs/deploying.md.
import { createDeployRoleApp } from '../lib/infrastructure/deploy-role/app.ts';
import { SettingsError } from '../lib/settings-error.ts';

try {
  createDeployRoleApp().synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
