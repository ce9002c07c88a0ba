/** Aborts on Ctrl-C, and after so many minutes: however slow the machine is, there is an end to it. */
export const untilStopped = (minutes: number): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => stop.abort(new Error(`Stopped by ${name}.`)));
  return AbortSignal.any([stop.signal, AbortSignal.timeout(minutes * 60_000)]);
};
