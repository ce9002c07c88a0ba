import { isStoreUnavailable } from '../../../functions/shared/dynamodb.ts';
import type { StaffContext } from '../context.ts';

/** How often something is tried before the store counts as too busy, and the longest wait between, in milliseconds. */
const [maxAttempts, maxWait] = [10, 5000];

/** After so long no further attempt is made, in milliseconds: where nothing answers, each of them takes most of a minute. */
const patience = 60_000;

/**
 * Does what needs the store, again while that is too busy or cannot be reached: a quarter of a minute in all, after the
 * SDK's own attempts.
 * @param work is told whether it was tried before
 * @throws what the last attempt threw; what Ctrl-C aborts with
 */
export const persist = async <Result>(
  { wait, signal }: Pick<StaffContext, 'wait' | 'signal'>,
  work: (wasTried: boolean) => Promise<Result>,
): Promise<Result> => {
  const giveUpAt = performance.now() + patience;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work(attempt > 1);
    } catch (error) {
      const isOver = attempt === maxAttempts || performance.now() > giveUpAt;
      if (isOver || !isStoreUnavailable(error)) throw error;
    }
    await wait(Math.min(25 * 2 ** attempt, maxWait), signal);
  }
};
