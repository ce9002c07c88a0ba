/** Aborts on Ctrl-C, or after some minutes. */
export const untilStopped = (minutes: number): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => stop.abort(new Error(`Stopped by ${name}.`)));
  return AbortSignal.any([stop.signal, AbortSignal.timeout(minutes * 60_000)]);
};
