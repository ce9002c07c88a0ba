const { stderr, stdout } = process;

/** Lets nothing stop the service that concerns its output alone: a reader that leaves early, as `head` does, or a full disk. */
export const ignoreOutputErrors = (): void => {
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
};

/**
 * Has writes to standard error wait in memory again, not in the system, where a pipe that nobody reads would stop the
 * whole service: esbuild's process shares this one's standard error, and libuv makes the streams blocking that a child
 * shares (`uv_spawn`). Node has no public name for it.
 */
export const unblockStderr = (): void => {
  const handle: unknown = Reflect.get(stderr, '_handle');
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false);
};

/** How often to look for the parent process, in milliseconds. */
const interval = 500;

/**
 * Calls back once the process above this one has ended, if npm started it. npm passes SIGTERM to the shell that it runs
 * a script in; the shell ends, and this process would live on, unseen, and hold its data.
 * @param parent the process above this one when it started
 */
export const onParentExit = (
  variables: Readonly<Record<string, string | undefined>>,
  parent: number,
  act: () => void,
): void => {
  if (variables['npm_lifecycle_event'] === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, interval);
};
