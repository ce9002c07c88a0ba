import * as v from 'valibot';
import { StaffError } from '../command-line/staff-error.ts';

const common = {
  /** What it is called in logs, metrics and dead letters: it tells no address. */
  name: v.string(),
  /** The e-mail address, or of the URL what may be shown. */
  address: v.string(),
  /** The name of the function that tells it. */
  function: v.string(),
  /** The URL of the queue that the function reads. */
  queue: v.string(),
};

/** Who is told, as an output of lib/infrastructure/notifications/ says it. */
const target = v.variant('kind', [
  v.object({ ...common, kind: v.literal('email') }),
  v.object({ ...common, kind: v.literal('standard'), /** The ARN of what signs. */ secret: v.string() }),
  v.object({ ...common, kind: v.literal('slack') }),
]);

export type Target = Readonly<v.InferOutput<typeof target>>;

/** A target that gets what it is told signed. */
export type SignedTarget = Extract<Target, { kind: 'standard' }>;

/** How a client of AWS gets at an environment; of a deployed one it finds out by itself what is not said here. */
export interface AwsAccess {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface TargetsAndDeadLetters {
  /** By name, one or more. */
  readonly targets: readonly Target[];
  /** The URL of the queue of what was given up. */
  readonly deadLetters: string;
}

/** Who is told of an environment's contact requests. */
export interface StaffNotifications extends TargetsAndDeadLetters {
  readonly aws: AwsAccess;
  /** On this machine, gives the secret of a target; there it is the one thing that can be asked. */
  readonly keptSecretOf?: (target: SignedTarget) => Promise<string>;
  /** Whether contact requests are told to nobody for now; what the commands send is. */
  readonly paused?: boolean;
  /** In which account and region, for people; absent on this machine. */
  readonly where?: string;
  /** The time where they are told. */
  readonly now: () => Date;
  close(): Promise<void>;
}

const schema = v.object({
  deadLetters: v.string(),
  targets: v.array(v.pipe(v.string(), v.parseJson(), target)),
});

/**
 * The targets in a stack's outputs; nothing when there are none.
 * @throws {StaffError} when a stack of another version has written them
 */
export const targetsIn = (outputs: Readonly<Record<string, string | undefined>>): TargetsAndDeadLetters | undefined => {
  const written = Object.entries(outputs).flatMap(([name, value]) => (name.startsWith('Notify') ? [value] : []));
  if (written.length === 0) return undefined;
  const result = v.safeParse(schema, { deadLetters: outputs['DeadLetters'], targets: written });
  if (!result.success) {
    throw new StaffError(
      'The notifications of this environment are of another version: deploy it again, or start the local service anew.',
    );
  }
  const { deadLetters, targets } = result.output;
  return { deadLetters, targets: targets.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
};
