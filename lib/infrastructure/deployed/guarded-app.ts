import { type App, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import type { createApp } from '../app.ts';
import { type Environment, parseEnvironment } from '../settings.ts';
import { stackNameOf } from '../stack-name.ts';
import { confirmedIn } from './confirmation.ts';
import { guards } from './guards.ts';
import { lookAtDeployed } from './look.ts';
import type { Sight } from './sight.ts';

/** What the synthesis says of an environment. */
interface Finding {
  readonly rule: string;
  /** A fatal one stops the stack, and nothing in the code can acknowledge it. */
  readonly severity: 'fatal' | 'warning';
  readonly description: string;
}

/** By what a guard's refusal is confirmed. */
const nameOf = (environment: Environment, guard: string) => `${environment.name}.${guard}`;

/** What the guards refuse, by name. */
const lossesOf = (environment: Environment, sight: Sight): [name: string, loss: string][] =>
  Object.entries(guards).flatMap(([guard, lossOf]) => {
    const loss = lossOf(environment, sight);
    return loss === undefined ? [] : [[nameOf(environment, guard), loss]];
  });

/** What is said besides, and stops nothing. */
const remarkOn = ({ retainData }: Environment, sight: Sight): string | undefined => {
  if (sight.kind === 'unseen') {
    return `Data-loss check skipped, cannot read the deployed stack: ${sight.why}`;
  }
  if (sight.kind === 'deployed' || !retainData) return undefined;
  const first =
    'this is its first deployment, without protection, so that it can be repeated when it fails: deploy once more for its protection';
  const { strangers } = sight;
  if (strangers.length === 0) return first;
  return `${first}. No settings name ${strangers.join(', ')}: if this was its name, data and forms stay there (docs/operation.md#rename-or-move-an-environment)`;
};

/** An environment's findings, as the CDK reports them: those of a stack that it is not to deploy stop nothing. */
const reportOf = (environment: Environment, findings: readonly Finding[]): IPolicyValidationPlugin => ({
  name: `Environment "${environment.name}"`,
  validate: () => ({
    success: findings.every(({ severity }) => severity !== 'fatal'),
    violations: findings.map(({ rule, ...finding }) => ({
      ruleName: rule,
      ...finding,
      violatingResources: [{ constructPath: stackNameOf(environment), locations: [] }],
    })),
  }),
});

/**
 * The CDK app, made with an eye on what is deployed: what would lose it is refused unless it is confirmed by name, and
 * a stack is protected once it was complete.
 * @param variables the process's, by which `cdk` says that it has credentials
 * @throws {SettingsError} a line for each setting that is wrong; one for what is confirmed without being there
 */
export const createGuardedApp = async (
  create: typeof createApp,
  inputs: Readonly<Record<string, object>>,
  bundle: () => Promise<string>,
  variables: NodeJS.ProcessEnv,
): Promise<App> => {
  const environments = Object.entries(inputs).map(([name, input]) => parseEnvironment(name, input));
  const [bundles, sights] = await Promise.all([bundle(), lookAtDeployed(environments, variables)]);
  const seen = environments.flatMap((environment, index) => {
    const sight = sights[index];
    return sight ? [{ environment, sight, losses: lossesOf(environment, sight) }] : [];
  });
  const firstDeployments = seen.filter(({ sight }) => sight.kind === 'never deployed');
  const app = create(inputs, bundles, {
    firstDeployments: new Set(firstDeployments.map(({ environment }) => environment.name)),
  });
  const confirmed = confirmedIn(
    app.node,
    environments.flatMap((environment) => Object.keys(guards).map((guard) => nameOf(environment, guard))),
    seen.flatMap(({ losses }) => losses.map(([name]) => name)),
  );
  for (const { environment, sight, losses } of seen) {
    const remark = remarkOn(environment, sight);
    const findings: Finding[] = [
      ...losses.map(([name, loss]): Finding => {
        if (confirmed.has(name)) return { rule: name, severity: 'warning', description: `Confirmed: ${loss}` };
        return { rule: name, severity: 'fatal', description: `${loss}. To do it all the same: -c confirm=${name}` };
      }),
      ...(remark ? [{ rule: 'deployed', severity: 'warning' as const, description: remark }] : []),
    ];
    // Also without findings: a report that no plugin writes anew stays that of the run before, which `cdk` would read.
    Validations.of(app).addPlugins(reportOf(environment, findings));
  }
  return app;
};
