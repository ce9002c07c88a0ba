/** Shared by all configurations that run the suite. */
export const acceptanceOptions = {
  // A throttled request is sent again when the service allows it, which takes its time.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000, interval: 50 } },
  pool: 'threads',
  isolate: false,
} as const;
