import type { Clock } from '../clock.ts';

/** What there is to do, if anything is, and else when to look again; without a time, when something has arrived. */
export type Found = { readonly deliver: () => Promise<void> } | { readonly nextDueAt?: number };

/** What invokes a function with what a stream or a queue holds. */
export interface EventSource {
  /** Begins with what is there. */
  start(): void;
  /** Something has arrived. */
  wake(): void;
  /** Begins nothing more, and lets the invocations under way end. */
  close(): Promise<void>;
}

/** How long to wait if the store fails, as on a full disk. */
const patience = 10_000;

/**
 * How long to wait at most before looking again what is due: timers stand still while the machine sleeps, its clock may be
 * set meanwhile, and a timer of more than 24 days ends at once.
 */
const longestWait = 5 * 60_000;

/** How a source is looked at. */
interface EventSourceOptions {
  /** How many deliveries there are at once. */
  readonly concurrency: number;
  /** How long to wait for more when something has arrived, in milliseconds. */
  readonly gather?: number;
  find(): Promise<Found>;
  /** Is told what failed. */
  tell(error: unknown): void;
}

/** Looks at a source when something has arrived or is due, and delivers what it finds until there is nothing. */
export const createEventSource = (
  { concurrency, gather = 0, find, tell }: EventSourceOptions,
  clock: Clock,
): EventSource => {
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let gathering = false;
  /** Whether there may be something that was not looked for. */
  let asked = false;
  let open = false;
  let cancelTimer = () => {};

  const lookAfter = (milliseconds: number) => {
    cancelTimer();
    cancelTimer = clock.after(Math.max(0, Math.min(milliseconds, longestWait)), look);
  };

  const begin = (deliver: () => Promise<void>) => {
    const delivery = deliver().catch(tell);
    underWay.add(delivery);
    void delivery.then(() => {
      underWay.delete(delivery);
      look();
    });
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
      tell(error);
      lookAfter(patience);
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
    gathering = false;
    if (!looking && mayLook()) looking = lookForAll();
  };

  return {
    start: () => {
      open = true;
      look();
    },
    wake: () => {
      if (gather === 0) look();
      else if (open && !gathering && underWay.size === 0) {
        gathering = true;
        lookAfter(gather);
      }
    },
    close: async () => {
      open = false;
      await looking;
      cancelTimer();
      await Promise.all(underWay);
    },
  };
};
