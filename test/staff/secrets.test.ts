import { beforeAll, beforeEach, expect, it } from 'vitest';
import { neededSecrets } from '../../lib/local/needed-secrets.ts';
import { type RunOptions, refusal, runCommand, type StaffService, startStaff } from './staff.ts';

let staff: StaffService;
beforeAll(async () => {
  staff = await startStaff();
});

const settings = {
  spam: { captcha: { provider: 'turnstile', sites: [], secret: 'captcha-key' } },
  notifications: {
    from: 'not an address',
    webhooks: [{ url: 'https://crm.example.com' }, { format: 'slack', secret: 'slack-url' }],
  },
};

const saved = new Map<string, string>();
beforeEach(() => saved.clear());

const run = (args: readonly string[], options: RunOptions = {}, ofSettings: unknown = settings) =>
  staff.run(['secrets', ...args], {
    local: {
      dataDir: 'data',
      neededSecrets: neededSecrets(ofSettings),
      readSecret: async (name) => saved.get(name),
      saveSecret: async (name, value) => void saved.set(name, value),
      backUp: async function* () {},
    },
    ...options,
  });

it('stores a line of the standard input, and lists the secrets that settings name, even if others are wrong', async () => {
  expect(await run(['set', 'slack-url'], { input: ' https://hooks.slack.com/x \n' })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Stored the secret slack-url.\n',
  });
  expect([...saved]).toEqual([['slack-url', 'https://hooks.slack.com/x']]);
  expect((await run(['list'])).stdout.split('\n')).toEqual([
    'NAME         STORED  SETTING',
    'captcha-key  no      spam.captcha',
    'slack-url    yes     notifications.webhooks (slack)',
    '',
  ]);
  expect(JSON.parse((await run(['list', '--json'])).stdout)).toEqual([
    { name: 'captcha-key', setting: 'spam.captcha', stored: false },
    { name: 'slack-url', setting: 'notifications.webhooks (slack)', stored: true },
  ]);
});

it('asks for a secret at a terminal, and does not show what is typed', async () => {
  expect(await run(['set', 'captcha-key'], { input: '0x4AAA\r', terminals: ['stdin', 'stdout', 'stderr'] })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'captcha-key: \nStored the secret captcha-key.\n',
  });
  expect([...saved]).toEqual([['captcha-key', '0x4AAA']]);
});

it.each([
  [['set', 'slack-ulr'], settings, 'No setting names the secret "slack-ulr": choose from captcha-key, slack-url.'],
  [['set', 'slack-url'], {}, 'No setting names a secret.'],
  [['set', 'slack-url'], settings, 'Nothing was changed: a secret needs at least one character.'],
])('refuses, and stores nothing: %j', async (args, ofSettings, line) => {
  expect(await run(args, {}, ofSettings)).toEqual(refusal(line));
  expect(saved.size).toBe(0);
});

it.each([['set', 'slack-url'], ['list']])(
  'says that AWS keeps the secrets of a deployed environment: %s',
  async (...args) => {
    expect(await runCommand(['secrets', ...args, '--env', 'dev'])).toEqual(
      refusal(
        'The secrets of a deployed environment are in AWS Secrets Manager: run "aws secretsmanager create-secret --name <name> --secret-string file://<file>", see docs/operation.md#store-a-secret.',
      ),
    );
  },
);
