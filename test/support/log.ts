import { afterEach, beforeEach, vi } from 'vitest';

let written: string[] = [];

/** Gives each test of a file its log to itself, and nothing of it on the screen. */
export const keepLog = (): void => {
  beforeEach(() => {
    written = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
};

/** What the test's code wrote to the standard output so far. */
export const logText = (): string => written.join('');

/** The same as the lines that they must be: JSON, one object a line. */
export const logLines = (): unknown[] =>
  logText()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
