import { printable } from './text.ts';

/**
 * A mistake that a person can correct. The message is the line that they read, rarely several, and says what to do. Text
 * from the command line in it cannot break the line.
 */
export class StaffError extends Error {
  constructor(...lines: readonly string[]) {
    super(lines.map(printable).join('\n'));
  }
}
