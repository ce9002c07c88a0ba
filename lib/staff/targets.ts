import * as v from 'valibot';
import { StaffError } from '../staff-error.ts';
import type { StaffEnvironment } from './environment.ts';

const common = {
  /** Its name in logs and metrics, which shows no address. */
  name: v.string(),
  /** The email address, the part of a URL that is not secret, or the name of the secret that holds a Slack URL. */
  address: v.string(),
};

/** A target, as an output of lib/infrastructure/notifications.ts describes it. */
const target = v.variant('kind', [
  v.object({ ...common, kind: v.literal('email') }),
  v.object({ ...common, kind: v.literal('webhook'), /** The ARN of its secret. */ secret: v.string() }),
  v.object({ ...common, kind: v.literal('slack') }),
]);

export type Target = Readonly<v.InferOutput<typeof target>>;

const described = v.object({
  /** The name of the function that delivers to every target. */
  NotifyFunction: v.string(),
  DeadLetters: v.string(),
});

/** The targets by name, and what serves them. */
export interface Targets {
  readonly targets: readonly Target[];
  readonly notifyFunction: string;
  readonly deadLetters: string;
}

/** The targets in a stack's outputs; undefined if there are none. */
export const targetsIn = (outputs: StaffEnvironment['outputs']): Targets | undefined => {
  const found = v.safeParse(described, outputs);
  if (!found.success) return undefined;
  const targets = Object.entries(outputs).flatMap(([name, value]) =>
    /^Notify(?!Function$)/.test(name) ? [v.parse(v.pipe(v.string(), v.parseJson(), target), value)] : [],
  );
  return {
    targets: targets.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    notifyFunction: found.output.NotifyFunction,
    deadLetters: found.output.DeadLetters,
  };
};

/** @throws {StaffError} if the environment has none */
export const findTargets = ({ name, stack, outputs }: StaffEnvironment): Targets => {
  const found = targetsIn(outputs);
  if (found) return found;
  throw new StaffError(
    stack
      ? `"${name}" has no notification targets: set notifications (see docs/settings.md) and deploy.`
      : 'The local service notifies nobody: start it with a target, as in "NOTIFY_WEBHOOK=http://127.0.0.1:9000/ npm start".',
  );
};
