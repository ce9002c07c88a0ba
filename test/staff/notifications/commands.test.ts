import { expect, it } from 'vitest';
import { runCommand } from '../staff.ts';
import { startNotifying } from './service.ts';

const commands: [string, ...string[]][] = [['test'], ['redrive'], ['secret'], ['rotate', 'Webhook5e6f7a8b']];

it.each(commands)('names the setting if an environment has no notifications: %s', async (...args) => {
  const { run } = await startNotifying([]);
  expect(await run(args)).toEqual({
    code: 1,
    stdout: '',
    stderr: '"dev" has no notifications: set them (docs/settings.md) and run "npx cdk deploy ContactService-dev".\n',
  });
});

it.each(commands.filter(([name]) => name !== 'secret'))('refuses to run on this machine: %s', async (...args) => {
  expect(await runCommand(['notifications', ...args])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'On this machine, "notifications" has only "secret": to try the notifications, send the form of the example site.\n',
  });
});
