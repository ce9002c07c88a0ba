/** A signal that aborts after so many milliseconds. */
export type TimeLimit = (milliseconds: number) => AbortSignal;

/** Ends with the work or at the signal, whichever comes first: some work does not heed the signal. */
export const within = async <Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([work(signal), over]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};
