import { StaffError } from '../command-line/staff-error.ts';
import { formatNumber } from '../command-line/text.ts';

/** A fault of a file, in a row that begins on this line. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** More of them say no more: they come of one mistake. */
const maxTold = 50;

/** @throws {StaffError} a line for each fault, when there are any */
export const refuseFaults = (faults: readonly Fault[]): void => {
  if (faults.length === 0) return;
  const told = faults.slice(0, maxTold).map(({ line, message }) => `Line ${line}: ${message}`);
  if (faults.length > maxTold) told.push(`… and ${formatNumber(faults.length - maxTold)} more.`);
  throw new StaffError(...told);
};
