import { beforeAll, expect, it } from 'vitest';
import { client } from '../../support/tables.ts';
import { now, type StaffService, startStaff } from '../staff.ts';

let staff: StaffService;
beforeAll(async () => {
  staff = await startStaff();
});

it.each([[['--help']], [['tokens', 'issue', '--help']], [['nonsense', '--help']]])(
  'shows the usage: %j',
  async (args) => {
    const { code, stdout, stderr } = await staff.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => /^ {2}\w/.test(line))).toEqual([
      '  tokens issue --name <name> --allow <permission,…|all> [--expires 90d]',
      '  tokens list',
      '  tokens revoke <name>',
      '  campaigns add <name>',
      '  campaigns rename <id> <name>',
      '  campaigns remove <id>',
      '  campaigns list',
      '  campaigns import <file.csv>',
      '  contacts list [--since <time|date|7d>] [--until <time|date|7d>] [--site <origin>] [--spam]',
      '  contacts release <id>',
      '  contacts export [--since <time|date|7d>] [--until <time|date|7d>] [--site <origin>] [--spam] [--format csv|jsonl] [--output <file>]',
      '  contacts erase --email <address> [--yes]',
    ]);
    expect(stdout).toContain('Environments: local, dev, staging, prod; without --env it is local.\n');
  },
);

it.each([
  [[], 'Name a command: "npm run staff -- --help" shows the commands.'],
  [['tokens'], 'Unknown command "tokens": "npm run staff -- --help" shows the commands.'],
  [['tokens', 'steal', 'all'], 'Unknown command "tokens steal": "npm run staff -- --help" shows the commands.'],
  [['toString'], 'Unknown command "toString": "npm run staff -- --help" shows the commands.'],
  [['tokens', 'list', '--json'], 'Unknown option \'--json\'. "npm run staff -- --help" shows the commands.'],
  [['tokens', 'list', '--toString'], 'Unknown option \'--toString\'. "npm run staff -- --help" shows the commands.'],
  [['tokens', 'list', '-x'], 'Unknown option \'-x\'. "npm run staff -- --help" shows the commands.'],
  [['tokens', 'list', '--yes'], '"tokens list" takes no --yes. Usage: tokens list'],
  [
    ['tokens', 'list', '--env'],
    'Option \'--env <value>\' argument missing. "npm run staff -- --help" shows the commands.',
  ],
  [
    ['tokens', 'issue', '--name', '--allow', 'all'],
    'Option \'--name\' argument is ambiguous. "npm run staff -- --help" shows the commands.',
  ],
  [
    ['contacts', 'list', '--spam=yes'],
    'Option \'--spam\' does not take an argument. "npm run staff -- --help" shows the commands.',
  ],
  [['tokens', 'list', '--env', 'qa'], 'Unknown environment "qa": choose from local, dev, staging, prod.'],
  [['tokens', 'list', '--env', ''], 'Unknown environment "": choose from local, dev, staging, prod.'],
  [['tokens', 'list', '--env', 'dev', '--env', 'prod'], 'Give --env once.'],
  [
    ['tokens', 'revoke', 'a', 'b'],
    '"tokens revoke" takes no "b"; put quotes around several words. Usage: tokens revoke <name>',
  ],
])('is a mistake, in one line: %j', async (args, line) => {
  const openTables = () => Promise.reject(new Error('The tables were opened.'));
  expect(await staff.run(args, { openTables })).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
});

it('takes options before the command, and values that begin with a dash', async () => {
  expect(await staff.run(['--env', 'local', 'tokens', 'revoke', '--', '-x'])).toMatchObject({
    stderr: 'There is no token named "-x": "tokens list" shows those there are.\n',
  });
});

it('opens the tables of the environment, and lets go of them also after a mistake', async () => {
  const closed: string[] = [];
  const openTables = async (environment: string) => ({
    ...staff.tables,
    client,
    now: () => now,
    close: async () => {
      closed.push(environment);
    },
  });
  await staff.run(['tokens', 'list', '--env', 'staging'], { openTables });
  await staff.run(['tokens', 'revoke', 'nobody'], { openTables });
  expect(closed).toEqual(['staging', 'local']);
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
