import { runCommand } from './staff.ts';

const commandsIn = (help: string) =>
  [...(help.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}(\S+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');

export const helpOf = async (...words: readonly string[]): Promise<string> =>
  (await runCommand([...words, '--help'])).stdout;

/** Every command of the program, with its group: `tokens issue`. */
export const listCommands = async (): Promise<readonly string[]> => {
  const commands: string[] = [];
  for (const group of commandsIn(await helpOf())) {
    const names = commandsIn(await helpOf(group));
    commands.push(...(names.length === 0 ? [group] : names.map((name) => `${group} ${name}`)));
  }
  return commands;
};
