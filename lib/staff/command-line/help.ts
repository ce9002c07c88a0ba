import type { Option, Command as Program } from 'commander';
import * as v from 'valibot';
import { meansOf } from './arguments.ts';
import { type Command, neededBy, termOf } from './command.ts';

/** How the staff command is called: by its `bin` in package.json, in a clone. */
export const programName = 'npx crcs';

/** What the help says of an argument. */
export const meaningOf = (entry: v.ObjectEntries[string]): string => {
  const means = meansOf(entry);
  const value = v.getDefault(entry);
  return typeof value === 'string' || typeof value === 'number' ? `${means} (default: ${value})` : means;
};

/** What stands beside a command in a list. */
export const firstSentenceOf = (text: string): string => text.split(/(?<=\.)\s/, 1)[0] ?? '';

const effects: Record<Command['environment'], string> = {
  changed:
    'It changes what the environment stores. Of a deployed one it says first in which\nAWS account and region that is.',
  read: 'It changes no data.',
  none: 'It changes no data, and needs no environment.',
};

/** Has commander's program show the help of one of the commands; `placeOptions` choose where it acts. */
export const showHelpOf = (command: Command, program: Program, placeOptions: readonly Option[]): void => {
  program
    .summary(firstSentenceOf(command.does))
    .description(command.does)
    .usage(`${neededBy(command)} [options]`.trim())
    .configureHelp({
      argumentTerm: (argument) => termOf(command, argument.name()),
      optionTerm: (option) =>
        Object.hasOwn(command.entries, option.name()) ? termOf(command, option.name()) : option.flags,
      showGlobalOptions: true,
      visibleGlobalOptions: () => (command.environment === 'none' ? [] : [...placeOptions]),
    })
    .addHelpText('after', `\nExample:\n  ${programName} ${command.example}\n\n${effects[command.environment]}`);
};
