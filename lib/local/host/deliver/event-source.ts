import type { Clock } from '../clock.ts';

/** Something to deliver, or when to look again; without a time, when something arrives. */
export type NextDelivery = { readonly deliver: () => Promise<void> } | { readonly nextDueAt?: number };

/** Invokes a function with the records of a stream or the messages of a queue. */
export interface EventSource {
  /** Begins with the records or messages that are there. */
  start(): void;
  /** Something has arrived. */
  wake(): void;
  /** Begins nothing more, and lets the invocations under way end. */
  close(): Promise<void>;
}

/** How long to wait after a failure: of the store, as on a full disk, or of a stream's function. In milliseconds. */
const patience = 10_000;

/**
 * The longest wait before looking again: timers stand still while the machine sleeps, its clock may be
 * set meanwhile, and a timer of more than 24 days ends at once.
 */
const longestWait = 5 * 60_000;

/** How a source is looked at. */
interface EventSourceOptions {
  /** How many deliveries there are at once. */
  readonly concurrency: number;
  find(): Promise<NextDelivery>;
  /** Writes a failure to the log. */
  report(error: unknown): void;
}

/** Looks at a source when something has arrived or is due, and delivers until nothing is left. */
export const createEventSource = ({ concurrency, find, report }: EventSourceOptions, clock: Clock): EventSource => {
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  /** Whether there may be something that was not looked for. */
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
