import type { Clock } from './host/clock.ts';

/** Something that can go wrong for a while. */
export interface Condition {
  /** In logs and in the response of /health. */
  readonly name: string;
  /** @returns what is wrong and what to do, or nothing */
  readonly check: () => Promise<string | undefined>;
  /** What people are told when it is over. Absent: nothing, because it was an event. */
  readonly over?: string;
  /** Called when people know. */
  readonly told?: () => void;
}

/** Milliseconds between two looks. */
const interval = 60_000;

/** Milliseconds between two beginnings of a condition that people are told. */
const pause = 60 * 60_000;

interface WatchOptions {
  readonly conditions: readonly Condition[];
  /** Tells people. Rejects if they could not be told: then the next look tries again. */
  readonly tell: (condition: Condition, text: string) => Promise<void>;
  /** Writes a failure of a check, or of telling, to the log. */
  readonly report: (condition: Condition, error: unknown) => void;
  readonly clock: Clock;
}

/** Looks at conditions every minute. Tells people when one begins, at most once an hour, and when it is over. */
export const createWatch = ({ conditions, tell, report, clock }: WatchOptions) => {
  const failing = new Set<string>();
  /** Those whose beginning people were told, but not yet their end. */
  const open = new Set<string>();
  const toldAt = new Map<string, number>();
  let cancelTimer = () => {};
  let underWay = Promise.resolve();

  const mayTell = ({ name }: Condition): boolean => {
    const last = toldAt.get(name);
    return last === undefined || Math.abs(clock.now() - last) >= pause;
  };

  const lookAt = async (condition: Condition): Promise<void> => {
    const { name, check, over, told } = condition;
    const wrong = await check();
    if (wrong === undefined) {
      failing.delete(name);
      if (!open.has(name)) return;
      if (over !== undefined) await tell(condition, over);
      open.delete(name);
      return;
    }
    failing.add(name);
    if (open.has(name) || !mayTell(condition)) return;
    await tell(condition, wrong);
    toldAt.set(name, clock.now());
    open.add(name);
    told?.();
  };

  const look = async (): Promise<void> => {
    await Promise.all(conditions.map((condition) => lookAt(condition).catch((error) => report(condition, error))));
  };

  const lookAgain = () => {
    cancelTimer = clock.after(interval, () => {
      underWay = look().then(lookAgain);
    });
  };

  return {
    start: (): void => {
      underWay = look().then(lookAgain);
    },
    /** The names of the conditions that are wrong now. */
    failing: (): readonly string[] => [...failing],
    /** Waits for a look under way. */
    stop: async (): Promise<void> => {
      await underWay;
      cancelTimer();
    },
  };
};
