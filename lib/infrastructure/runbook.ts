import type { Environment } from './settings.ts';

/**
 * Where people who got an alarm read on: the end of its email.
 * @param section a heading of docs/runbook.md
 */
export const whatToDo = (section: string, { runbookUrl }: Environment): string =>
  runbookUrl === undefined
    ? `What to do: see "${section}" in docs/runbook.md.`
    : `What to do: ${runbookUrl}#${section}`;
