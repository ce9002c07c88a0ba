/**
 * Items of the contacts table that count the bytes of a day, and those of contact requests that a defence caught: how their ids begin,
 * before a blank and the day. No contact request has such an id.
 */
export const dailyCounters = { all: 'files', caught: 'caught files' } as const;

/** What create-contact can update: its role knows these patterns of ids, and these attributes. */
export const counterUpdates = {
  ids: Object.values(dailyCounters).map((name) => `${name} *`),
  attributes: ['id', 'bytes', 'expiresAt'],
} as const;
