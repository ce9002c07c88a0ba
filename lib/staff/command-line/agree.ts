import type { Surroundings } from '../context.ts';
import { openQuestions, type Questions } from './questions.ts';
import { StaffError } from './staff-error.ts';

/**
 * Asks whether to do it.
 * @param act what is to be done, as in `erase for good`
 * @param done the same when it is: `erased`
 * @throws {StaffError} when nobody agrees, or nobody can be asked
 */
export const agree = async (
  staff: Pick<Surroundings, 'stdin' | 'stderr' | 'signal'>,
  act: string,
  done: string,
  questions: Questions = openQuestions(staff),
): Promise<void> => {
  try {
    if (!staff.stdin.isTTY) throw new StaffError(`Nothing was ${done}: add --yes to ${act}.`);
    const isAgreed = await questions.confirm(`${act.charAt(0).toUpperCase()}${act.slice(1)}?`);
    if (!isAgreed) throw new StaffError(`Nothing was ${done}.`);
  } finally {
    questions.close();
  }
};
