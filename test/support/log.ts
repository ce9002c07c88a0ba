import { afterEach, beforeEach, vi } from 'vitest';

let written: string[] = [];

/** Captures the log of each test. */
export const keepLog = (): void => {
  beforeEach(() => {
    written = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
};

/** The standard output so far. */
export const logText = (): string => written.join('');

/** The log lines so far: each is JSON. */
export const logLines = (): unknown[] =>
  logText()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
