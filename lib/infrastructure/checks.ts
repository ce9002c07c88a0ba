import { type App, CloudFormationValidatePlugin, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createApp, type ServiceAppProps, ServiceStack } from './app.ts';

/** Shared by all apps: loading its rules takes most of a synthesis. */
const validator = new CloudFormationValidatePlugin();

/** The CDK's template validation. Its warnings become errors, since it only warns of invalid enum values. */
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

/** The domain of the examples (RFC 2606) or a name below it; not `my-example.com`, nor `example.com.au`. */
const exampleDomain = /(?<![\w-])example\.com(?![\w-]|\.\w)/i;

/** The paths of the settings that still have the domain of the examples, as in `sites.0.origin`. */
const exampleValues = (settings: unknown): string[] => {
  if (typeof settings === 'string') return exampleDomain.test(settings) ? [''] : [];
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) =>
    exampleValues(value).map((path) => (path === '' ? name : `${name}.${path}`)),
  );
};

/**
 * The CDK app with checks: findings of cdk-nag's AwsSolutions rules, and templates that CloudFormation would refuse, are
 * errors. Intended findings are acknowledged on their constructs, with the reason. Example values are warnings.
 * @throws {SettingsError} a line for each error in the settings
 */
export const createCheckedApp = (
  inputs: Parameters<typeof createApp>[0],
  bundles: string,
  props: ServiceAppProps = {},
): App => {
  const app = createApp(inputs, bundles, props);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), templateValidation);
  for (const stack of app.node.children.filter((child) => child instanceof ServiceStack)) {
    const name = stack.environmentName;
    const paths = exampleValues(inputs[name]);
    if (paths.length === 0) continue;
    Validations.of(stack).addWarning(
      'ContactService-ExampleValues',
      `Environment "${name}" still has example.com in ${paths.join(', ')}. Write your own values, see docs/settings.md`,
    );
  }
  return app;
};
