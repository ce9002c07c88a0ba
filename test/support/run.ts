import { randomUUID } from 'node:crypto';

/** A part of the table names of a worker. All its files share it, since a handler's module reads the names once. */
export const run = randomUUID();
