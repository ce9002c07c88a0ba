/** How often to look, in milliseconds. */
const interval = 500;

/**
 * Calls back once the process above this one has ended, if npm started it. npm passes SIGTERM to the shell that it runs
 * a script in; the shell ends, and this process would live on, unseen, and hold its data.
 * @param parent the process above this one when it started
 */
export const onParentEnd = (
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
