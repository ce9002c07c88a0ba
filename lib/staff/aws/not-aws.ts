import { StaffError } from '../command-line/staff-error.ts';

/** Whatever answered in its place. */
export const notAws = (): StaffError =>
  new StaffError('This is no answer of AWS: does the network ask for a log-in, or a proxy answer?');
