/**
 * Runs so many at the same time; when one fails, the others end at their next look at the signal, and all have ended when
 * this returns.
 * @throws what the first of them threw
 */
export const together = async (
  amount: number,
  signal: AbortSignal,
  work: (signal: AbortSignal, index: number) => Promise<void>,
): Promise<void> => {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  await Promise.allSettled(
    Array.from({ length: amount }, (_, index) => work(either, index).catch((error: unknown) => failed.abort(error))),
  );
  either.throwIfAborted();
};
