import * as v from 'valibot';

const common = {
  /** Its name in logs and metrics, which shows no address. */
  name: v.string(),
  /** The e-mail address, the part of a URL that is no secret, or the name of a Slack URL's secret. */
  address: v.string(),
  /** The URL of its queue. */
  queue: v.string(),
};

/** A target, as an output of lib/infrastructure/notifications/ describes it. */
const target = v.variant('kind', [
  v.object({ ...common, kind: v.literal('email') }),
  v.object({ ...common, kind: v.literal('webhook'), /** The ARN of its secret. */ secret: v.string() }),
  v.object({ ...common, kind: v.literal('slack') }),
]);

export type Target = Readonly<v.InferOutput<typeof target>>;

export type Webhook = Extract<Target, { kind: 'webhook' }>;

const described = v.object({
  /** The name of the function that delivers to every target. */
  NotifyFunction: v.string(),
  /** The URLs of the dead-letter queue and of the failure destination of the stream. */
  DeadLetters: v.string(),
  FanOutFailures: v.string(),
  targets: v.array(v.pipe(v.string(), v.parseJson(), target)),
});

/** The targets of an environment, and the parts of its stack that serve them. */
export interface TargetsAndQueues {
  /** By name, one or more. */
  readonly targets: readonly Target[];
  readonly notifyFunction: string;
  readonly deadLetters: string;
  readonly fanOutFailures: string;
}

/** The notifications of an environment. */
export interface StaffNotifications extends TargetsAndQueues {
  /** For AWS clients; empty on this machine. */
  readonly aws: { readonly region?: string };
  /** Reads the secret of a webhook on this machine, without AWS. */
  readonly keptSecretOf?: (webhook: Webhook) => Promise<string>;
  /** Contact requests trigger no notification for now; samples do. */
  readonly paused?: boolean;
  /** In which account and region, for people; absent on this machine. */
  readonly where?: string;
  /** The time of the environment. */
  readonly now: () => Date;
  close(): Promise<void>;
}

/** The notifications in a stack's outputs; nothing if the environment has none. */
export const targetsIn = (outputs: Readonly<Record<string, string | undefined>>): TargetsAndQueues | undefined => {
  if (outputs['NotifyFunction'] === undefined) return undefined;
  const isTarget = (name: string) => name.startsWith('Notify') && name !== 'NotifyFunction';
  const { NotifyFunction, DeadLetters, FanOutFailures, targets } = v.parse(described, {
    ...outputs,
    targets: Object.entries(outputs).flatMap(([name, value]) => (isTarget(name) ? [value] : [])),
  });
  return {
    targets: targets.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    notifyFunction: NotifyFunction,
    deadLetters: DeadLetters,
    fanOutFailures: FanOutFailures,
  };
};
