import { randomUUID } from 'node:crypto';

/** What the names of the tables begin with that a worker's handlers have been composed with: the same for all its files. */
export const run = randomUUID();
