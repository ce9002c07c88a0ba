import { type App, CloudFormationValidatePlugin, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createApp, type ServiceAppProps } from './app.ts';
import { exampleValues } from './example-values.ts';
import { ServiceStack } from './service-stack.ts';

/** One for all apps: it reads its rules once, which takes most of a synthesis. */
const validator = new CloudFormationValidatePlugin();

/** The CDK's own template validation; its warnings are errors here, since an unknown value of an enum is but a warning. */
const templateValidation: IPolicyValidationPlugin = {
  name: validator.name,
  validate: (context) => {
    const report = validator.validate(context);
    const violations = report.violations.map((violation) =>
      violation.severity === 'warning' ? { ...violation, severity: 'error' } : violation,
    );
    return { ...report, violations, success: violations.every(({ severity }) => severity !== 'error') };
  },
};

/**
 * Has an app not synthesize what an AWS reviewer would object to (cdk-nag's AwsSolutions rules) or what CloudFormation would
 * refuse. A finding that is meant to be is acknowledged, with the reason, on the construct that has it.
 */
export const addChecks = (app: App): App => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), templateValidation);
  return app;
};

/**
 * The CDK app, with the checks. Settings that still hold an example are warned of, and of that nothing is acknowledged.
 * @throws {EnvironmentError} a line for each setting that is wrong
 */
export const createCheckedApp = (
  environments: Parameters<typeof createApp>[0],
  bundles: string,
  props: ServiceAppProps = {},
): App => {
  const app = addChecks(createApp(environments, bundles, props));
  for (const stack of app.node.children.filter((child) => child instanceof ServiceStack)) {
    const name = stack.environmentName;
    const paths = exampleValues(environments[name]);
    if (paths.length === 0) continue;
    Validations.of(stack).addWarning(
      'ContactService-ExampleValues',
      `Environment "${name}" still holds example.com, in ${paths.join(', ')}: write your own values (docs/settings.md)`,
    );
  }
  return app;
};
