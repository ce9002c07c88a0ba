/**
 * Where the host writes what its parts have to say, line by line.
 * @param source the logical id of the function that wrote the line, or `gateway` or `store`
 */
export type Log = (source: string, line: string) => void;

/** Writes each line with its source before it. */
export const logToStderr: Log = (source, line) => {
  process.stderr.write(`${source}: ${line}\n`);
};
