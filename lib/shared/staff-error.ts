import { printable } from './terminal-text.ts';

/**
 * An error that a person can correct. The message says what to do, mostly in one line. Text from the command line cannot
 * break the line.
 */
export class StaffError extends Error {
  constructor(...lines: readonly string[]) {
    super(lines.map(printable).join('\n'));
  }
}
