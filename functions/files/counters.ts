/**
 * Counters of the bytes of files that were stored in a day, and of those of contact requests that a defence caught. They are items of
 * the contacts table, but in no list.
 */
export const fileCounters = {
  /** @param day as in `2026-01-31`, UTC */
  idOf: (day: string, isCaught: boolean) => `${isCaught ? 'caught ' : ''}files ${day}`,
  /** What create-contact can update: the role knows these patterns of ids… */
  ids: ['files *', 'caught files *'],
  /** … and these attributes. */
  attributes: ['id', 'bytes', 'expiresAt'],
} as const;
