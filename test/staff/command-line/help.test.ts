import { expect, it } from 'vitest';
import { lines, opened, runCommand } from '../staff.ts';

const run = (args: readonly string[], input = '') => runCommand(args, { input });

/** The words that completion offers behind these. */
const nextOf = async (...words: readonly string[]) =>
  lines((await run(['complete', '--', ...words, ''])).stdout).map((line) => line.split('\t', 1)[0] ?? '');

const words = await nextOf();
const isGroup = (word: string) => !['complete', 'doctor'].includes(word);
const commands = (
  await Promise.all(
    words.map(async (word) => (isGroup(word) ? (await nextOf(word)).map((more) => [word, more]) : [[word]])),
  )
).flat();

it('finds the commands', () => {
  expect(commands.length).toBeGreaterThan(15);
});

it.each(commands.map((command) => command.join(' ')))(
  'explains a command and each of its arguments: %s',
  async (name) => {
    const { code, stdout } = await run([...name.split(' '), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: npx crcs ${name} `);
    const told = lines(stdout);
    expect(told.filter((line) => line.length > 80)).toEqual([]);
    // An argument and, behind two blanks, what is said of it.
    const terms = told.filter((line) => /^ {2}[-<]/.test(line));
    expect(terms.filter((line) => !/^ {2}\S.*? {2,}[A-Z].+$/.test(line))).toEqual([]);
  },
);

it('prints JSON for programs wherever something is shown: an export has its format, a completion its shell', async () => {
  const takeJson = await Promise.all(
    commands.map(async (words) => (await run([...words, '--help'])).stdout.includes('\n  --json ')),
  );
  const others = commands.filter((_, index) => !takeJson[index]).map((words) => words.join(' '));
  expect(others.toSorted()).toEqual(['complete', 'contacts export']);
});

it.each(commands.map((command) => command.join(' ')))('shows an example that works: %s', async (name) => {
  const { stdout } = await run([...name.split(' '), '--help']);
  const [, example = ''] = /^Example:\n {2}npx crcs (.+?)(?: > .+)?$/m.exec(stdout) ?? [];
  expect(example).toMatch(new RegExp(`^${name}\\b`));
  const args = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const { code, stderr } = await run(args, 'ada@example.com\n');
  expect([0, 1]).toContain(code);
  expect(stderr).toBe(code === 0 ? '' : opened);
});
