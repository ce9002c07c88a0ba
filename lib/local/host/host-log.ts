/**
 * Writes a line to the host's log.
 * @param source the logical id of the function that wrote the line, or a part of the host, such as `gateway` or `store`
 */
export type Log = (source: string, line: string) => void;

export const logToStderr: Log = (source, line) => void process.stderr.write(`${source}: ${line}\n`);
