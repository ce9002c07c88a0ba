import { readdirSync, readFileSync } from 'node:fs';

/**
 * The megabytes with which a function has one processor; with less it has a part of it, in proportion.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const whole = 1_769;

export const shareOf = (megabytes: number): number => megabytes / whole;

/** After so long a process may compute again, in milliseconds: an assumption, since AWS tells no such figure. */
const period = 20;

/** The milliseconds that all threads of a process have computed for: what Linux counts in nanoseconds. */
const computed = (pid: number): number => {
  const tasks = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const thread of readdirSync(tasks)) {
    try {
      nanoseconds += Number(readFileSync(`${tasks}/${thread}/schedstat`, 'latin1').split(' ', 1)[0]);
    } catch {
      // It has just ended.
    }
  }
  return nanoseconds / 1e6;
};

/** Ended, and not yet taken note of by its parent, which is busy here. */
const hasEnded = (pid: number): boolean => readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');

/**
 * Holds a child process to a share of one processor until it ends, as a quota does: when it has computed for as long as it
 * may in a period, it stands still until the next. What it took too much is missing there. Waits cost nothing.
 */
export const holdToShare = (pid: number, share: number): void => {
  const quota = period * share;
  let left = quota;
  let isStopped = false;
  let taken = computed(pid);
  let nextPeriod = performance.now() + period;
  while (!hasEnded(pid)) {
    const now = computed(pid);
    left -= now - taken;
    taken = now;
    while (performance.now() >= nextPeriod) {
      left = Math.min(quota, left + quota);
      nextPeriod += period;
    }
    if (left > 0 === isStopped) {
      process.kill(pid, isStopped ? 'SIGCONT' : 'SIGSTOP');
      isStopped = !isStopped;
    }
  }
};
