const { stderr, stdout } = process;

/**
 * Nobody has to read what the service prints: a reader that leaves early, as `head` does, or a disk that is full of it
 * stops nothing.
 */
export const outliveReaders = (): void => {
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
};

/**
 * Has writes to standard error wait in memory again, not in the system, where a pipe that nobody reads would stop the
 * whole service: esbuild's process shares this one's standard error, and what libuv starts makes what it shares blocking
 * (`uv_spawn`). Node has no public name for it.
 */
export const unblockErrors = (): void => {
  const handle: unknown = Reflect.get(stderr, '_handle');
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false);
};
