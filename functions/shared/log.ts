import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of a log line. They must never hold a body, the name or value of a field, a token or personal data. */
type LogFields = Readonly<Record<string, boolean | number | string | readonly string[] | undefined>>;

const silence = new AsyncLocalStorage<true>();

/**
 * Drops the log lines of an action, also of what it began and did not wait for. Node still loads its modules for writing, so that
 * later lines are fast.
 */
export const withoutLogging = <Result>(act: () => Result): Result => silence.run(true, act);

/** Writes one line as it is. */
export const writeLine = (line: unknown): void => {
  process.stdout.write(silence.getStore() ? '' : `${JSON.stringify(line)}\n`);
};

/**
 * Writes one JSON line. Lambda would add a prefix to the lines of `console`, and ignores the level of a line without a
 * timestamp.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
export const log = (level: 'error' | 'info' | 'warn', message: string, fields: LogFields = {}): void => {
  writeLine({ timestamp: new Date().toISOString(), level, message, ...fields });
};

/** The loggable part of an error: its name and stack frames. Messages may quote personal data. */
export const describeError = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { error: typeof error };
  // The stack begins with the message, which may have several lines.
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
