/** What may stand in a log line: never a body, a name or value of a field, a token or a personal datum. */
export type LogFields = Readonly<Record<string, boolean | number | string | readonly string[] | undefined>>;

let isSilent = false;

/** Keeps lines back while something is done that no one asked for. What Node loads for the first line is loaded all the same. */
export const withoutLogging = async (act: () => Promise<unknown>): Promise<void> => {
  isSilent = true;
  await act().finally(() => {
    isSilent = false;
  });
};

/** Writes one line as it is. */
export const writeLine = (line: unknown): void => {
  const text = `${JSON.stringify(line)}\n`;
  process.stdout.write(isSilent ? '' : text);
};

/**
 * Writes one JSON line. Not through `console`: on Lambda that puts a prefix before the line, which then is no JSON.
 * Lambda takes a line without a timestamp for one of level INFO, whatever its level says.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
export const log = (level: 'error' | 'info' | 'warn', message: string, fields: LogFields = {}): void => {
  writeLine({ timestamp: new Date().toISOString(), level, message, ...fields });
};

/** An error as far as it may be logged: a message can hold what a visitor sent, so names and stack frames only. */
export const describeError = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { error: typeof error };
  // The stack begins with the message, which may have lines of its own.
  const stack = String(error.stack);
  const frames = stack
    .slice(stack.indexOf(error.message) + error.message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '));
  return {
    error: error.name,
    stack: frames.map((frame) => frame.trim()),
    ...(error.cause instanceof Error && { cause: error.cause.name }),
  };
};
