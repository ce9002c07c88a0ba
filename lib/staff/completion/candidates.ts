import type * as v from 'valibot';
import { offersOf } from '../command-line/arguments.ts';
import { type Command, isFlag, termOf } from '../command-line/command.ts';
import { firstSentenceOf, meaningOf } from '../command-line/help.ts';
import type { ProgramSpec } from '../command-line/program.ts';
import { namesOf } from '../place.ts';

/** A word that may stand next, and what is said of it. */
type Candidate = readonly [word: string, about?: string];

/** Tells a shell's script to complete a file's name. */
const files = ':files';

/** The words that are no options nor values of such: a command and its arguments. */
const placesOf = (words: readonly string[], takesValue: (option: string) => boolean): string[] =>
  words.filter((word, place) => !word.startsWith('-') && !takesValue(words[place - 1] ?? ''));

/** The values of an argument, of which several may stand between commas. */
const valuesOf = (entry: v.ObjectEntries[string], typed: string): readonly Candidate[] => {
  const { offers, listed } = offersOf(entry);
  const before = listed ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  return offers.filter((offer) => !before.split(',').includes(offer)).map((offer) => [before + offer]);
};

const isFile = (command: Command, argument: string) => /<file\b/.test(termOf(command, argument));

/**
 * What may stand in the place of the last of these words.
 * @returns lines for a shell's script: a word and, behind a tab, what is said of it; or that a file's name is wanted
 */
export const candidatesFor = ({ commands, environments }: ProgramSpec, words: readonly string[]): readonly string[] => {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? ''];
  const takesValue = (word: string) =>
    word === '--env' ||
    word === '--stack' ||
    commands.some(({ entries }) => {
      const entry = word.startsWith('--') ? entries[word.slice(2)] : undefined;
      return entry !== undefined && !isFlag(entry);
    });

  const places = placesOf(before, takesValue);
  const command = commands.find(({ name }) => `${places.join(' ')} `.startsWith(`${name} `));
  const show = (candidates: readonly Candidate[], typed: string, prefix = ''): readonly string[] =>
    candidates
      .filter(([word]) => word.startsWith(typed))
      .map(([word, about = '']) => `${prefix}${word}\t${firstSentenceOf(about)}`);
  const showValues = (argument: string, typed: string, prefix = '') => {
    if (argument === 'env')
      return show(
        namesOf(environments).map((name) => [name]),
        typed,
        prefix,
      );
    const entry = command?.entries[argument];
    if (!command || !entry) return [];
    return isFile(command, argument) ? [files] : show(valuesOf(entry, typed), typed, prefix);
  };

  const last = before.at(-1) ?? '';
  if (takesValue(last)) return showValues(last.slice(2), current);
  const [, option, value = ''] = /^--([^=]+)=(.*)$/s.exec(current) ?? [];
  if (option !== undefined) return showValues(option, value, `--${option}=`);

  if (current.startsWith('-')) {
    const options = Object.entries(command?.entries ?? {}).filter(([name]) => !command?.positionals.includes(name));
    const all: Candidate[] = [
      ...options.map(([name, entry]): Candidate => [`--${name}`, meaningOf(entry)]),
      ...(command?.environment === 'none'
        ? []
        : [['--env', 'The environment.'] as const, ['--stack', 'A stack in its place.'] as const]),
      ['--help', 'Shows the help.'],
    ];
    return show(
      all.filter(([word]) => !before.includes(word)),
      current,
    );
  }
  if (command) {
    const argument = command.positionals[places.length - command.name.split(' ').length];
    return argument === undefined ? [] : showValues(argument, current);
  }
  // The next word of every command that begins with those before.
  const path = places.map((word) => `${word} `).join('');
  const next = commands
    .filter(({ name }) => name.startsWith(path))
    .map(({ name, does }): Candidate => {
      const [word = '', ...more] = name.slice(path.length).split(' ');
      return [word, more.length > 0 ? '' : does];
    });
  return [...new Set(show(next, current))];
};
