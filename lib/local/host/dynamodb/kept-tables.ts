import * as v from 'valibot';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import { storeFolderIn } from './own-folder.ts';

const name = 'tables.json';

const keptTablesSchema = v.record(v.string(), v.string());

/** The tables' names in a store, by the output of the stack that gives each. */
export type TableNames = Readonly<v.InferOutput<typeof keptTablesSchema>>;

/** Keeps the tables' names in the store's folder, where another process finds them without the template. */
export const keepTables = (dataDir: string, tables: TableNames): Promise<void> =>
  writeOwnFile(storeFolderIn(dataDir), name, tables);

/**
 * The tables that a service has made in the data directory; nothing when none has.
 * @throws {Error} one line, when that cannot be read
 */
export const readKeptTables = (dataDir: string): Promise<TableNames | undefined> =>
  readOwnFile(storeFolderIn(dataDir), name, keptTablesSchema);
