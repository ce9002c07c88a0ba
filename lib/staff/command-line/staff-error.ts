import { printable } from './text.ts';

/**
 * What a person can put right: its message is the line that they read, seldom several, and it says what to do. Whatever of
 * the command line stands in it, no line is broken by that.
 */
export class StaffError extends Error {
  constructor(...lines: readonly string[]) {
    super(lines.map(printable).join('\n'));
  }
}
