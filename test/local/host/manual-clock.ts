import type { Clock } from '../../../lib/local/host/clock.ts';

/** A clock that stands still until it is moved. */
export const createManualClock = (start = Date.parse('2026-03-04T19:15:17.135Z')) => {
  let time = start;
  const timers = new Set<{ due: number; callback: () => void }>();
  const clock: Clock = {
    now: () => time,
    after: (milliseconds, callback) => {
      const timer = { due: time + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  return {
    ...clock,
    /** In how many milliseconds each timer is due. */
    timers: (): number[] => [...timers].map(({ due }) => due - time),
    advance: (milliseconds: number): void => {
      time += milliseconds;
      for (const timer of [...timers].sort((a, b) => a.due - b.due)) {
        if (timer.due <= time && timers.delete(timer)) timer.callback();
      }
    },
  };
};
