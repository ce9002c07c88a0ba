import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { CfnOutput } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../../../lib/local/host/host.ts';
import { createManualClock } from '../manual-clock.ts';
import { synthesize, type TestStack } from '../test-host.ts';
import { testFolder } from '../test-tables.ts';
import { connect } from './test-services.ts';

const addSecrets = (stack: TestStack) => {
  stack.api({ 'GET /': stack.echo('Echo', '1') });
  for (const id of ['One', 'Other']) {
    const secret = new Secret(stack, id, { generateSecretString: { passwordLength: 44, excludePunctuation: true } });
    new CfnOutput(stack, `${id}Arn`, { value: secret.secretArn });
  }
};

const start = async (dataDir: string, clock = createManualClock()) => {
  const folder = testFolder();
  const host = await startHost({ dataDir, synthesize: async () => synthesize(folder, addSecrets), port: 0, clock });
  onTestFinished(host.close);
  const { secretsManager } = await connect(dataDir);
  return { ...host, clock, secretsManager, one: host.outputs['OneArn'], other: host.outputs['OtherArn'] };
};

const get = (client: SecretsManagerClient, SecretId: string | undefined, VersionStage?: string) =>
  client.send(new GetSecretValueCommand({ SecretId, ...(VersionStage && { VersionStage }) }));

const put = (
  client: SecretsManagerClient,
  SecretId: string | undefined,
  SecretString: string,
  ClientRequestToken?: string,
) =>
  client.send(new PutSecretValueCommand({ SecretId, SecretString, ...(ClientRequestToken && { ClientRequestToken }) }));

const dataDirOf = () => join(testFolder(), 'data');

test('each secret of the template gets a value of its own, as the template has it', async () => {
  const { secretsManager, one, other, clock } = await start(dataDirOf());
  const answer = await get(secretsManager, one);
  expect(answer).toMatchObject({
    ARN: one,
    CreatedDate: new Date(clock.now()),
    Name: expect.stringMatching(/^One\w+$/),
    SecretString: expect.stringMatching(/^[A-Za-z0-9]{44}$/),
    VersionStages: ['AWSCURRENT'],
  });
  expect((await get(secretsManager, answer.Name)).SecretString).toBe(answer.SecretString);
  expect((await get(secretsManager, other)).SecretString).not.toBe(answer.SecretString);
});

test('the values stay across starts, for their owner alone', async () => {
  const dataDir = dataDirOf();
  const first = await start(dataDir);
  const { SecretString: before } = await get(first.secretsManager, first.one);
  await first.close();
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain(before);
  if (process.getuid) expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);

  const second = await start(dataDir);
  expect((await get(second.secretsManager, second.one)).SecretString).toBe(before);
  await put(second.secretsManager, second.one, 'new');
  await second.close();

  const third = await start(dataDir);
  expect((await get(third.secretsManager, third.one)).SecretString).toBe('new');
  expect((await get(third.secretsManager, third.one, 'AWSPREVIOUS')).SecretString).toBe(before);
});

test('a new value takes AWSCURRENT; the one before becomes AWSPREVIOUS, the one before that nothing', async () => {
  const { secretsManager, one, other, clock } = await start(dataDirOf());
  await expect(get(secretsManager, one, 'AWSPREVIOUS')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  const first = await get(secretsManager, one);
  clock.advance(60_000);
  await put(secretsManager, one, 'second');
  expect(await get(secretsManager, one)).toMatchObject({ SecretString: 'second', CreatedDate: new Date(clock.now()) });
  const { SecretString, CreatedDate, VersionId } = first;
  expect(await get(secretsManager, one, 'AWSPREVIOUS')).toMatchObject({
    ...{ SecretString, CreatedDate, VersionId },
    VersionStages: ['AWSPREVIOUS'],
  });
  await put(secretsManager, one, 'third');
  expect((await get(secretsManager, one)).SecretString).toBe('third');
  expect((await get(secretsManager, one, 'AWSPREVIOUS')).SecretString).toBe('second');
  await expect(get(secretsManager, other, 'AWSPREVIOUS')).rejects.toThrow('AWSPREVIOUS');
});

test('a call that comes twice sets a value once', async () => {
  const { secretsManager, one } = await start(dataDirOf());
  const { SecretString: before } = await get(secretsManager, one);
  const token = '00000000-0000-4000-8000-000000000000';
  for (const _ of [1, 2]) {
    expect(await put(secretsManager, one, 'new', token)).toMatchObject({
      VersionId: token,
      VersionStages: ['AWSCURRENT'],
    });
  }
  expect((await get(secretsManager, one, 'AWSPREVIOUS')).SecretString).toBe(before);
  await expect(put(secretsManager, one, 'other', token)).rejects.toMatchObject({ name: 'ResourceExistsException' });
});

test('values that are set at the same moment are all kept, one after the other', async () => {
  const dataDir = dataDirOf();
  const { secretsManager, one, other, close } = await start(dataDir);
  await Promise.all([put(secretsManager, one, 'of one'), put(secretsManager, other, 'of the other')]);
  await close();
  const again = await start(dataDir);
  expect((await get(again.secretsManager, one)).SecretString).toBe('of one');
  expect((await get(again.secretsManager, other)).SecretString).toBe('of the other');
});

test('a secret that is not there', async () => {
  const { secretsManager } = await start(dataDirOf());
  const nowhere = { name: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret." };
  await expect(get(secretsManager, 'nothing')).rejects.toMatchObject(nowhere);
  await expect(put(secretsManager, 'nothing', 'value')).rejects.toMatchObject(nowhere);
});

test('a form of an operation that is not served says so', async () => {
  const { secretsManager, one } = await start(dataDirOf());
  const byVersion = new GetSecretValueCommand({ SecretId: one, VersionId: '00000000-0000-4000-8000-000000000000' });
  await expect(secretsManager.send(byVersion)).rejects.toThrow(
    'The local host does not serve this form of secretsmanager.GetSecretValue',
  );
});

test('secrets that another version has left are one line', async () => {
  const dataDir = dataDirOf();
  await (await start(dataDir)).close();
  writeFileSync(join(dataDir, 'secrets.json'), '{"One":"value"}');
  await expect(start(dataDir)).rejects.toThrow(
    `${join(dataDir, 'secrets.json')} is of another version of the service: start that anew`,
  );
});
