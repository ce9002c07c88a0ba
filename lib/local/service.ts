import { setFlagsFromString } from 'node:v8';
import { isolate } from './host/isolation.ts';
import type { RunningService } from './running-service.ts';
import { isServer } from './server-settings.ts';

/** A reader that leaves early, as `head` does, or a full disk must not stop the service. */
const ignoreOutputErrors = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
};

/** Milliseconds between two looks at the parent process. */
const parentInterval = 500;

/**
 * Calls back when the parent process has ended, if npm started this one. npm passes SIGTERM only to the shell between the
 * two: without this, the service would go on unseen, and hold its data. After `kill -9` of npm it does go on: the shell is
 * still there, and Node cannot see the parent of its parent.
 * @param parent the id of the parent process at the start
 */
const onParentExit = (variables: NodeJS.ProcessEnv, parent: number, act: () => void): void => {
  if (variables['npm_lifecycle_event'] === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, parentInterval);
};

/** Loads only what the mode needs. */
const start = async (variables: NodeJS.ProcessEnv): Promise<RunningService> => {
  if (isServer(variables)) {
    // A small server has little memory: after 10,000 contact requests the heaps of all threads take 140 MB less.
    setFlagsFromString('--optimize-for-size');
    return (await import('./server.ts')).startServer(variables);
  }
  return (await import('./laptop.ts')).startLocally(variables);
};

/**
 * Runs the whole service on this machine until it gets SIGINT or SIGTERM, the npm that started it gets SIGTERM, or its store
 * fails. A second signal ends it at once. If it cannot start, it prints one line on standard error and ends the process with 1.
 */
export const runService = async (variables: NodeJS.ProcessEnv): Promise<void> => {
  const parent = process.ppid;
  ignoreOutputErrors();
  isolate(process.env);
  // Only the owner may read the files.
  process.umask(0o077);
  // Lambda runs functions in UTC. Threads share the time zone of the process.
  process.env['TZ'] = 'UTC';
  try {
    const service = await start(variables);
    let stopping = false;
    const stop = async () => {
      if (stopping) process.exit(1);
      stopping = true;
      await service.close();
      process.exit(0);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    onParentExit(variables, parent, () => {
      if (!stopping) void stop();
    });
    void service.storeEnded.then(() => {
      if (!stopping) process.exit(1);
    });

    service.announce();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
};
