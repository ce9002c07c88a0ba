import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { AssumeRoleWithWebIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { cacheDir, run } from './command.ts';
import { region } from './emulator.ts';
import type { Cast } from './steps.ts';

const environment = 'ci';
const stack = stackName(environment);
const repository = 'acme/contact-settings';
const roleApp = 'node -r ./bin/require-node.cjs bin/deploy-role.ts';
const serviceApp = 'node -r ./bin/require-node.cjs test/rehearsal/app.ts';
const settingsFile = join(cacheDir, 'ci-settings.json');
const outputsFile = join(cacheDir, 'ci-outputs.json');

const settings: EnvironmentInput = {
  sites: [{ origin: 'http://localhost:8080' }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  retainData: false,
  logRetentionDays: 7,
};

const roleOutputs = v.object({ DeployRole: v.string(), DiffRole: v.string() });
const stackOutputs = v.object({ ContactsTable: v.string() });

/** What the one stack says that was deployed last. */
const outputsOf = async <Outputs>(schema: v.GenericSchema<unknown, Outputs>): Promise<Outputs> => {
  const [outputs] = Object.values(
    v.parse(v.record(v.string(), schema), JSON.parse(await readFile(outputsFile, 'utf8'))),
  );
  assert.ok(outputs, 'Nothing was deployed');
  return outputs;
};

/** What GitHub says of a job; its signature is AWS's to check. */
const tokenOf = (subject: string) => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: 'https://token.actions.githubusercontent.com', aud: 'sts.amazonaws.com', sub: subject };
  return `${part({ alg: 'none' })}.${part(claims)}.`;
};

/** Deploys as a workflow does, by the roles of docs/deploying.md. */
export const rehearseDeployRole = async ({ emulator, steps, signal }: Cast): Promise<void> => {
  const { endpoint } = emulator;
  const sts = new STSClient({ endpoint, region, credentials: { accessKeyId: 'none', secretAccessKey: 'none' } });

  const assume = async (role: string, subject: string) => {
    const { Credentials } = await sts.send(
      new AssumeRoleWithWebIdentityCommand({
        RoleArn: role,
        RoleSessionName: 'workflow',
        WebIdentityToken: tokenOf(`repo:${subject}`),
      }),
    );
    const {
      AccessKeyId: accessKeyId = '',
      SecretAccessKey: secretAccessKey = '',
      SessionToken: sessionToken = '',
    } = Credentials ?? {};
    return { accessKeyId, secretAccessKey, sessionToken };
  };

  const cdk = (app: string, args: readonly string[], as?: Awaited<ReturnType<typeof assume>>) =>
    run('npx', ['cdk', ...args, '--app', app, '--output', join(cacheDir, 'cdk.out'), '--no-notices'], {
      env: {
        ...emulator.env,
        ...emulator.clockEnv,
        CRCS_SETTINGS: settingsFile,
        ...(as && {
          AWS_ACCESS_KEY_ID: as.accessKeyId,
          AWS_SECRET_ACCESS_KEY: as.secretAccessKey,
          AWS_SESSION_TOKEN: as.sessionToken,
        }),
      },
      signal,
    });
  const deploy = ['deploy', stack, '--require-approval', 'never', '--outputs-file', outputsFile];

  await steps.run('Roles for a workflow', async () => {
    // The emulator has no AWS::IAM::OIDCProvider, and asks for none.
    const trust = ['-c', `repository=${repository}`, '-c', `environment=${environment}`, '-c', 'provider=existing'];
    await cdk(roleApp, ['deploy', '--require-approval', 'never', '--outputs-file', outputsFile, ...trust]);
    const { DeployRole: deployRole, DiffRole: diffRole } = await outputsOf(roleOutputs);

    for (const stranger of [`${repository}:pull_request`, `acme/other:environment:${environment}`]) {
      await assert.rejects(assume(deployRole, stranger), /Not authorized/);
    }
    await writeFile(settingsFile, JSON.stringify({ [environment]: settings }));
    await cdk(serviceApp, deploy, await assume(deployRole, `${repository}:environment:${environment}`));
    const { ContactsTable: table } = await outputsOf(stackOutputs);
    steps.say('The role that deploys has deployed, and trusts neither pull requests nor another repository');

    await writeFile(settingsFile, JSON.stringify({ [environment]: { ...settings, honeypotField: 'homepage' } }));
    const reader = await assume(diffRole, `${repository}:pull_request`);
    assert.match(await cdk(serviceApp, ['diff', stack, '--method=template'], reader), /homepage/);
    await assert.rejects(cdk(serviceApp, deploy, reader), /AccessDenied|not authorized/);
    const dynamoDb = new DynamoDBClient({ endpoint, region, credentials: reader });
    await assert.rejects(dynamoDb.send(new ScanCommand({ TableName: table })), { name: 'AccessDeniedException' });
    steps.say(
      'The role of pull requests has shown what would change, and can neither deploy nor read contact requests',
    );
    await cdk(
      serviceApp,
      ['destroy', stack, '--force'],
      await assume(deployRole, `${repository}:environment:${environment}`),
    );
  });
  steps.notShown('that GitHub signs what it says of a job: the emulator reads its token, and checks no signature');
};
