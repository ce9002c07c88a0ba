import { beforeAll, expect, it } from 'vitest';
import type { Choice } from '../../lib/staff/environment.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { environmentNames, lines, openAsProgram, opened, runCommand, type StaffService, startStaff } from './staff.ts';

let staff: StaffService;
beforeAll(async () => {
  staff = await startStaff();
});

const commandsIn = (help: string) =>
  [...(help.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);

const helpOf = async (...words: readonly string[]) => (await runCommand([...words, '--help'])).stdout;

const groups = commandsIn(await helpOf()).filter((name) => name !== 'help');
const commands = (
  await Promise.all(
    groups.map(async (group) => {
      const names = commandsIn(await helpOf(group)).filter((name) => name !== 'help');
      return names.length === 0 ? [group] : names.map((name) => `${group} ${name}`);
    }),
  )
).flat();

it.each([[['--help']], [['help']]])('shows the groups of commands: %j', async (args) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npx crcs \[options\] \[command\]\n/);
  expect(stdout).toContain(`one of ${environmentNames.join(', ')} (default: local)\n`);
  expect(stdout).toMatch(/^ {2}campaigns +add, rename, remove, list, import$/m);
});

it.each(commands)('shows help with an example that works: %s', async (name) => {
  const stdout = await helpOf(...name.split(' '));
  expect(stdout).toContain(`Usage: npx crcs ${name} `);
  expect(lines(stdout).filter((line) => line.length > 80)).toEqual([]);
  const [, example = ''] = /^Example:\n {2}npx crcs (.+)$/m.exec(stdout) ?? [];
  expect(example).toMatch(new RegExp(`^${name}\\b`));
  const args = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  expect(await runCommand(args)).toMatchObject({ code: 1, stderr: opened });
});

it('shows the version', async () => {
  expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

it.each([[[]], [['tokens']], [['--env', 'dev']]])('shows help on stderr without a command: %j', async (args) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Usage: npx crcs /);
});

it.each([
  [['tokns', 'list'], 'Unknown command \'tokns\'. Did you mean tokens? "npx crcs --help" shows how.'],
  [['tokens', 'lst'], 'Unknown command \'lst\'. Did you mean list? "npx crcs tokens --help" shows how.'],
  [['toString'], 'Unknown command \'toString\'. "npx crcs --help" shows how.'],
  [['toke\nns'], 'Unknown command \'toke ns\'. Did you mean tokens? "npx crcs --help" shows how.'],
  [['list', 'contacts'], 'Unknown command \'list\'. Did you mean contacts list? "npx crcs --help" shows how.'],
  [['contacts', 'list', '-x=ada@example.com'], 'Unknown option \'-x\'. "npx crcs contacts list --help" shows how.'],
  [['tokens', 'list', '--toString'], 'Unknown option \'--toString\'. "npx crcs tokens list --help" shows how.'],
  [
    ['contacts', 'list', '--spm'],
    'Unknown option \'--spm\'. Did you mean --spam? "npx crcs contacts list --help" shows how.',
  ],
  [
    ['tokens', 'list', '-env', 'dev'],
    'Unknown option \'-env\'. Did you mean --env? "npx crcs tokens list --help" shows how.',
  ],
  [['-env', 'dev', 'tokens', 'list'], 'Unknown option \'-env\'. Did you mean --env? "npx crcs --help" shows how.'],
  [
    ['contacts', 'erase', '--emial=ada@example.com'],
    'Unknown option \'--emial\'. "npx crcs contacts erase --help" shows how.',
  ],
  [['tokens', 'list', '--env'], 'Option \'--env <name>\' argument missing. "npx crcs --help" shows how.'],
  [
    ['tokens', 'list', '--stack', 'old', '--env', 'dev'],
    "Option '--stack <name>' cannot be used with option '--env <name>'. \"npx crcs tokens list --help\" shows how.",
  ],
  [['tokens', 'revoke'], 'Missing required argument \'name\'. "npx crcs tokens revoke --help" shows how.'],
  [
    ['contacts', 'erase', 'ada@example.com'],
    'Too many arguments for \'erase\'. Expected 0 arguments but got 1. "npx crcs contacts erase --help" shows how.',
  ],
  [
    ['tokens', 'issue', '--name=-', '--allow', 'some', '--expires', 'soon'],
    '--allow: Unknown permission "some": use contacts:read, contacts:delete, campaigns:read, separated by commas, or all. --expires: Use whole minutes, hours, days or weeks, such as 30m, 12h, 90d or 2w.',
  ],
  [['contacts', 'show', 'a\r\nb\u202e'], '<id>: "a  b " is not a UUID.'],
])('explains a mistake in one line: %j', async (args, line) => {
  expect(await runCommand(args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
});

it.each([
  [['--env', 'qa'], `Unknown environment "qa": use ${environmentNames.join(', ')}.`],
  [['--env='], `Unknown environment "": use ${environmentNames.join(', ')}.`],
  [['--env', 'q\n\u001b[31ma'], `Unknown environment "q  [31ma": use ${environmentNames.join(', ')}.`],
  [['--stack', 'a b'], '"a b" is not a stack name: "npx cdk list" shows the stacks of the settings.'],
])('explains in one line that there is no such environment: %j', async (args, line) => {
  const outcome = await runCommand(['tokens', 'list', ...args], { openEnvironment: openAsProgram });
  expect(outcome).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
});

it('accepts --env before the command, and values that begin with a dash', async () => {
  expect(await staff.run(['--env', 'local', 'tokens', 'revoke', '--', '-x'])).toMatchObject({
    stderr: 'There is no token named "-x": "tokens list" shows all.\n',
  });
});

it('opens the environment that is chosen, and closes it also after a mistake', async () => {
  const seen: unknown[] = [];
  const run = (...args: readonly string[]) =>
    staff.run(args, {
      opening: (choice: Choice) => seen.push(choice),
      closing: () => seen.push('closed'),
    });
  await run('tokens', 'list', '--env', 'dev');
  await run('--stack', 'ContactService-old', 'tokens', 'list');
  await run('tokens', 'revoke', 'nobody');
  expect(seen).toEqual([{ env: 'dev' }, 'closed', { stack: 'ContactService-old' }, 'closed', {}, 'closed']);
});

it('does nothing if Ctrl-C came while the environment was being opened', async () => {
  const stopped = new AbortController();
  const opening = () => stopped.abort();
  const outcome = await staff.run(['campaigns', 'add', 'Spring'], { opening, signal: stopped.signal });
  expect(outcome).toEqual({ code: 130, stdout: '', stderr: 'Stopped before the end.\n' });
  expect(await staff.everything()).toEqual([[], [], []]);
});
