/**
 * Writes a line to the host's log.
 * @param source the logical id of the function that wrote the line, or `gateway` or `store`
 */
export type Log = (source: string, line: string) => void;

/** How many bytes may wait for whoever reads standard error. */
const maxWaiting = 1_048_576;

/** Writes each line with its source before it; drops it when far too many wait, since nobody reads them. */
export const logToStderr: Log = (source, line) => {
  if (process.stderr.writableLength > maxWaiting) return;
  process.stderr.write(`${source}: ${line}\n`);
};
