import { afterEach, beforeEach, vi } from 'vitest';

let written: string[] = [];

/** Gives each test its own log, and keeps it off the screen. */
export const keepLog = (): void => {
  beforeEach(() => {
    written = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
};

/** The standard output of the test so far. */
export const logText = (): string => written.join('');

/** The same, parsed: one JSON object a line. */
export const logLines = (): unknown[] =>
  logText()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
