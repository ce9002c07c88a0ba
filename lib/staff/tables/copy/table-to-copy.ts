import type { StaffTable } from '../tables.ts';
import type { Kind } from './kinds.ts';

/** What is copied where. */
export interface TableToCopy {
  readonly kind: Kind;
  readonly source: StaffTable;
  readonly target: StaffTable;
}
