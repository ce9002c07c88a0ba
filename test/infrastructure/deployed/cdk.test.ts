import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bare, temporaryFolder } from '../synthesize.ts';
import { type FakeStack, serveAws } from './aws.ts';

/** The CDK's command line, which has the app synthesize as cdk.json says. */
const program = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'aws-cdk', 'bin', 'cdk');

const stack = (name: string, retainData: boolean): FakeStack => ({
  name: `ContactService-${name}`,
  outputs: { Settings: JSON.stringify({ version: '1.1.0', retainData, listShards: 1 }) },
});

test('`cdk` stops at the stack that would lose something, by what its app has asked AWS, and at no other', async () => {
  await using server = await serveAws({ stacks: [stack('dev', false), stack('prod', true)] });
  const home = temporaryFolder();
  const output = join(home, 'cdk.out');
  const settings = join(home, 'environments.json');
  writeFileSync(settings, JSON.stringify({ dev: bare, prod: bare }));
  const cdk = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...args, '--quiet', '--no-notices', '--no-color'], {
      env: {
        ...process.env,
        // Where the CDK keeps whose account a key is.
        HOME: home,
        CRCS_SETTINGS: settings,
        AWS_ENDPOINT_URL: server.url,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_CONFIG_FILE: devNull,
        AWS_SHARED_CREDENTIALS_FILE: devNull,
        CDK_DISABLE_CLI_TELEMETRY: 'true',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { code, stderr };
  };

  const prod = await cdk('synth', 'ContactService-prod', '--output', output);
  expect(prod).toMatchObject({ code: 1, stderr: expect.stringMatching(/FATAL .* -c confirm=prod\.retainData /) });
  // What is synthesized is the same.
  expect(await cdk('synth', 'ContactService-dev', '--app', output)).toMatchObject({ code: 0 });
});
