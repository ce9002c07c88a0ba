import * as v from 'valibot';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import { storeFolderIn } from './own-folder.ts';

/** An earlier version has kept the outputs that name tables, and no others. */
const name = 'tables.json';

const keptOutputsSchema = v.record(v.string(), v.string());

/** A stack's outputs, by name. */
export type Outputs = Readonly<v.InferOutput<typeof keptOutputsSchema>>;

/** Keeps the stack's outputs in the store's folder, where another process finds its tables without the template. */
export const keepOutputs = (dataDir: string, outputs: Outputs): Promise<void> =>
  writeOwnFile(storeFolderIn(dataDir), name, outputs);

/**
 * The outputs of the stack that was last served from the data directory; nothing when none was.
 * @throws {Error} one line, when that cannot be read
 */
export const readKeptOutputs = (dataDir: string): Promise<Outputs | undefined> =>
  readOwnFile(storeFolderIn(dataDir), name, keptOutputsSchema);
