import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { explained, shownAs } from '../command-line/arguments.ts';
import { toolCommand } from '../command-line/command.ts';

/** A word as every shell here takes it for one. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export const completeCommand = toolCommand({
  name: 'complete',
  does: 'Prints a script that completes commands, options and values on the Tab key, and that makes crcs a command in every folder, without the time that npx takes. Keep it in a file that your shell reads: for bash and zsh one that ~/.bashrc or ~/.zshrc sources, below its compinit, for fish ~/.config/fish/conf.d/crcs.fish.',
  example: 'bash > ~/.crcs-completion',
  positionals: ['shell'],
  entries: {
    shell: explained(
      'The shell that is to read it.',
      shownAs('<bash|zsh|fish>', v.picklist(['bash', 'zsh', 'fish'], 'Use bash, zsh or fish.')),
    ),
  },
  run: async ({ stdout }, { shell }) => {
    const script = await readFile(join(import.meta.dirname, `crcs.${shell}`), 'utf8');
    // Not by npx, which takes longer than a person waits for a Tab.
    const program = [process.execPath, join(import.meta.dirname, '..', '..', '..', 'bin', 'crcs.cjs')];
    stdout.write(script.replaceAll('{program}', () => program.map(quoted).join(' ')));
  },
});
