import { randomUUID } from 'node:crypto';

/** The prefix of the tables of entry files, which all test files of a worker share. */
export const run = randomUUID();
