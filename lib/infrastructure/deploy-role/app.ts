import { App, type AppProps } from 'aws-cdk-lib';
import { appDefaults } from '../app.ts';
import { addChecks } from '../checks.ts';
import { DeployRoleStack } from './deploy-role-stack.ts';
import { trustIn } from './trust.ts';

/**
 * The CDK app with the roles that a workflow deploys by, checked as the service is.
 * @throws {SettingsError} a line for each mistake on the command line
 */
export const createDeployRoleApp = (props: AppProps = {}): App => {
  const app = new App({ ...appDefaults, ...props });
  const trust = trustIn(app.node);
  new DeployRoleStack(app, `ContactServiceDeployment-${trust.environment}`, trust);
  return addChecks(app);
};
