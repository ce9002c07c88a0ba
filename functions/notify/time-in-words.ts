/** A time for people, to the second. @param time RFC 3339, UTC, milliseconds */
export const timeInWords = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
