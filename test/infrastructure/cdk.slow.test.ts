import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { describeStacks, type FakeStack, startFakeAws } from '../support/fake-aws.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bare } from './synthesize.ts';

/** The CDK's command line. */
const program = join(import.meta.dirname, '..', '..', 'node_modules', 'aws-cdk', 'bin', 'cdk');

const stack = (name: string, retainData: boolean): FakeStack => ({
  name: `ContactService-${name}`,
  outputs: { Settings: JSON.stringify({ version: '3.0.0', retainData }) },
});

test('`cdk` refuses to deploy the stack that would lose data, and no other', async () => {
  const stacks = [stack('dev', false), stack('prod', true)];
  await using server = await startFakeAws(({ operation, input }) =>
    operation === 'GetCallerIdentity'
      ? // Without an ARN, the CDK would find no credentials, and the guard would only warn.
        { status: 200, body: { Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/operator' } }
      : describeStacks(stacks, input),
  );
  const folder = temporaryFolder();
  const output = join(folder, 'cdk.out');
  const settings = join(folder, 'environments.json');
  writeFileSync(settings, JSON.stringify({ dev: bare, prod: bare }));
  const cdk = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...args, '--quiet', '--no-notices', '--no-color'], {
      env: {
        ...process.env,
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
  // A synthesis of its own would take seconds, so this takes the one before.
  expect(await cdk('synth', 'ContactService-dev', '--app', output)).toMatchObject({ code: 0 });
});
