import { beforeAll, expect, it } from 'vitest';
import type { Place } from '../../../lib/staff/place.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { client } from '../../support/tables.ts';
import { environmentNames, now, type StaffService, startStaff } from '../staff.ts';

const choices = environmentNames.join(', ');

let staff: StaffService;
beforeAll(async () => {
  staff = await startStaff();
});

it.each([[['--help']], [['-h']], [['help']], [['nonsense', '--help']]])(
  'shows the groups of commands: %j',
  async (args) => {
    const { code, stdout, stderr } = await staff.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npx crcs <command> \[options\]\n/);
    expect(stdout).toContain(`One of ${choices} (default: local).\n`);
    expect(stdout).toMatch(/^ {2}campaigns +add, rename, remove, list, import$/m);
  },
);

it.each([[['tokens', '--help']], [['help', 'tokens']]])('shows the commands of a group: %j', async (args) => {
  const { code, stdout } = await staff.run(args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: npx crcs tokens <command> \[options\]\n/);
  expect(stdout).toMatch(/^ {2}revoke +Revokes every token of that name: they stop working within 60$/m);
});

it.each([[['tokens', 'issue', '--help']], [['tokens', 'issue', '-h', '--env', 'dev']], [['help', 'tokens', 'issue']]])(
  'shows the arguments of a command: %j',
  async (args) => {
    const { code, stdout, stderr } = await staff.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npx crcs tokens issue --name <name> --allow <permission,…\|all> \[options\]\n/);
    expect(stdout).toMatch(/^ {2}--expires 90d/m);
  },
);

it('shows the version', async () => {
  expect(await staff.run(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

it.each([[[]], [['tokens']], [['--env', 'dev']]])(
  'shows what there is after no command, as a mistake: %j',
  async (args) => {
    const { code, stdout, stderr } = await staff.run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Usage: npx crcs /);
  },
);

it.each([
  [['tokns', 'list'], 'Unknown command \'tokns\' (Did you mean tokens?). "npx crcs --help" shows how.'],
  [['tokens', 'lst'], 'Unknown command \'lst\' (Did you mean list?). "npx crcs tokens --help" shows how.'],
  [['help', 'tokns'], 'Unknown command \'tokns\' (Did you mean tokens?). "npx crcs --help" shows how.'],
  [['help', 'tokens', 'lst'], 'Unknown command \'lst\' (Did you mean list?). "npx crcs tokens --help" shows how.'],
  [['help', 'tokens', 'revoke', 'it'], 'There is no command "tokens revoke it". "npx crcs --help" shows how.'],
  [['toString'], 'Unknown command \'toString\'. "npx crcs --help" shows how.'],
  [['tokens', 'list', '--toString'], 'Unknown option \'--toString\'. "npx crcs tokens list --help" shows how.'],
  [
    ['contacts', 'list', '--spm'],
    'Unknown option \'--spm\' (Did you mean --spam?). "npx crcs contacts list --help" shows how.',
  ],
  [['tokens', 'list', '-x'], 'Unknown option \'-x\'. "npx crcs tokens list --help" shows how.'],
  [['tokens', 'list', '--yes'], 'Unknown option \'--yes\'. "npx crcs tokens list --help" shows how.'],
  [['--spam', 'contacts', 'list'], 'Put --spam after the command. "npx crcs --help" shows how.'],
  [['tokens', 'list', '--env'], 'Option \'--env <environment>\' argument missing. "npx crcs --help" shows how.'],
  [
    ['tokens', 'issue', '--name', '--allow', 'all'],
    '--name needs a value: one that begins with "-" is written --name=…',
  ],
  [['tokens', 'issue', '--name=', '--allow', 'all'], '--name: A token needs a name.'],
  [
    ['tokens', 'issue', '--name=-', '--allow', 'some', '--expires', 'soon'],
    '--allow: Unknown permission "some": choose from contacts:read, contacts:delete, campaigns:read, separated by commas, or all. --expires: Use whole minutes, hours, days or weeks, such as 30m, 12h, 90d or 2w.',
  ],
  [['contacts', 'list', '--spam=yes'], '--spam takes no value. "npx crcs contacts list --help" shows how.'],
  [['contacts', 'list', '--spam', '--spam'], 'Give --spam once.'],
  [['tokens', 'list', '--env', 'qa'], `Unknown environment "qa": choose from ${choices}.`],
  [['tokens', 'list', '--env='], `Unknown environment "": choose from ${choices}.`],
  [['tokens', 'list', '--env', 'dev', '--env', 'prod'], 'Give --env once.'],
  [['toke\nns'], 'Unknown command \'toke ns\' (Did you mean tokens?). "npx crcs --help" shows how.'],
  [
    ['tokens', 'list', '--env', 'q\n\u001b[31ma'],
    'Unknown environment "q  [31ma": choose from local, dev, staging, prod.',
  ],
  [['contacts', 'show', 'a\r\nb\u202e'], '<id>: "a  b " is no UUID.'],
  [
    ['campaigns', 'add', 'a', 'b\nc'],
    '"campaigns add" takes no "b c": put quotes around several words. "npx crcs campaigns add --help" shows how.',
  ],
  [['tokens', 'list', '--stack', 'old', '--env', 'dev'], 'Give --env or --stack: each names where to act.'],
  [['tokens', 'list', '--stack', 'a b'], '"a b" is no name of a stack: "npx cdk list" shows those of the settings.'],
  [['complete', 'bash', '--stack', 'old'], '"complete" asks no environment: leave out --stack.'],
  [['complete', 'bash', '--env', 'dev'], '"complete" asks no environment: leave out --env.'],
  [['tokens', 'revoke'], 'Missing: <name>. Usage: tokens revoke <name> [--json]'],
  [
    ['tokens', 'revoke', 'a', 'b'],
    '"tokens revoke" takes no "b": put quotes around several words. "npx crcs tokens revoke --help" shows how.',
  ],
])('is a mistake, in one line: %j', async (args, line) => {
  const openTables = () => Promise.reject(new Error('The tables were opened.'));
  expect(await staff.run(args, { openTables })).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
});

it('takes --env before the command, and values that begin with a dash', async () => {
  expect(await staff.run(['--env', 'local', 'tokens', 'revoke', '--', '-x'])).toMatchObject({
    stderr: 'There is no token named "-x": "tokens list" shows those there are.\n',
  });
});

it('opens the tables of the environment, and lets go of them also after a mistake', async () => {
  const closed: string[] = [];
  const openTables = async (place: Place) => ({
    ...staff.tables,
    client,
    now: () => now,
    close: async () => {
      closed.push(place === 'local' ? place : place.stack);
    },
  });
  await staff.run(['tokens', 'list', '--env', 'dev'], { openTables });
  await staff.run(['tokens', 'revoke', 'nobody'], { openTables });
  await staff.run(['--stack', 'ContactService-old', 'tokens', 'list'], { openTables });
  expect(closed).toEqual(['ContactService-dev', 'local', 'ContactService-old']);
});

it('does nothing when Ctrl-C came while the tables were being opened', async () => {
  const stopped = new AbortController();
  const openTables = async () => {
    stopped.abort();
    return { ...staff.tables, client, now: () => now, close: async () => {} };
  };
  const outcome = await staff.run(['campaigns', 'add', 'Spring'], { openTables, signal: stopped.signal });
  expect(outcome).toEqual({ code: 130, stdout: '', stderr: 'Stopped before the end.\n' });
  expect(await staff.everything()).toEqual([[], [], []]);
});
