import type { Clock } from '../clock.ts';

/** Something to deliver, or when to look again. Without a time, the next arrival decides. */
export type NextDelivery = { readonly deliver: () => Promise<void> } | { readonly nextDueAt?: number };

/** Invokes a function with the records of a stream or the messages of a queue. */
export interface EventSource {
  /** Begins with the stored records or messages. */
  start(): void;
  /** Looks again, after an arrival. */
  wake(): void;
  /** Begins no more invocations, and waits for those under way. */
  close(): Promise<void>;
}

/** Milliseconds to wait after a failure of the store, as on a full disk, or of a stream's function. */
const patience = 10_000;

/**
 * The longest wait in milliseconds. Timers stop while the machine sleeps, its clock can be set, and a timer of more than 24
 * days ends at once.
 */
const longestWait = 5 * 60_000;

interface EventSourceOptions {
  /** The maximum of deliveries at once. */
  readonly concurrency: number;
  find(): Promise<NextDelivery>;
  /** Writes a failure to the log. */
  report(error: unknown): void;
}

/** Looks at a source after each arrival and when something is due, and delivers until nothing is left. */
export const createEventSource = ({ concurrency, find, report }: EventSourceOptions, clock: Clock): EventSource => {
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  /** Whether the source must be looked at again. */
  let asked = false;
  let open = false;
  let cancelTimer = () => {};

  const lookAfter = (milliseconds: number) => {
    cancelTimer();
    cancelTimer = clock.after(Math.max(0, Math.min(milliseconds, longestWait)), look);
  };

  const waitAfter = (error: unknown) => {
    report(error);
    lookAfter(patience);
  };

  const begin = (deliver: () => Promise<void>) => {
    const end = (next: () => void) => {
      underWay.delete(delivery);
      next();
    };
    const delivery = deliver().then(
      () => end(look),
      (error) => end(() => waitAfter(error)),
    );
    underWay.add(delivery);
  };

  const lookOnce = async () => {
    try {
      const found = await find();
      if ('deliver' in found) {
        begin(found.deliver);
        asked = true;
      } else if (found.nextDueAt !== undefined) {
        lookAfter(found.nextDueAt - clock.now());
      }
    } catch (error) {
      waitAfter(error);
    }
  };

  const mayLook = () => open && asked && underWay.size < concurrency;

  const lookForAll = async () => {
    while (mayLook()) {
      asked = false;
      await lookOnce();
    }
    looking = undefined;
  };

  const look = () => {
    asked = true;
    if (!looking && mayLook()) looking = lookForAll();
  };

  return {
    start: () => {
      open = true;
      look();
    },
    wake: look,
    close: async () => {
      open = false;
      await looking;
      await Promise.all(underWay);
      cancelTimer();
    },
  };
};
