import * as v from 'valibot';
import packageJson from '../../package.json' with { type: 'json' };
import type { Environment } from './settings.ts';

/** https://docs.npmjs.com/cli/v11/configuring-npm/package-json#repository */
const withRepository = v.object({ repository: v.union([v.string(), v.object({ url: v.string() })]) });

/** The runbook on GitHub, if package.json names a repository there. Other hosts have other paths. */
const runbookOnGitHub = (): string | undefined => {
  const { success, output } = v.safeParse(withRepository, packageJson);
  if (!success) return undefined;
  const { repository } = output;
  const address = typeof repository === 'string' ? repository : repository.url;
  const [, name] = /^(?:github:|(?:.*[/@])?github\.com[/:])?([\w-]+\/[\w.-]+?)(?:\.git)?$/.exec(address) ?? [];
  return name && `https://github.com/${name}/blob/HEAD/docs/runbook.md`;
};

/**
 * Where people who got an alarm read on: the end of its email.
 * @param section a heading of docs/runbook.md
 */
export const whatToDo = (section: string, { runbookUrl = runbookOnGitHub() }: Environment): string =>
  runbookUrl === undefined
    ? `What to do: see "${section}" in docs/runbook.md.`
    : `What to do: ${runbookUrl}#${section}`;
