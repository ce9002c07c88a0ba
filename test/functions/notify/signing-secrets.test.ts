import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, it } from 'vitest';
import { chatUrl } from '../../../functions/notify/chats.ts';
import { signingSecrets } from '../../../functions/notify/signing-secrets.ts';
import { namedSecret } from '../../../functions/shared/secret.ts';
import { type AwsResponse, awsError, startFakeAws } from '../../support/fake-aws.ts';
import { noTimeout } from '../../support/notifications.ts';

const first = 'Zmlyc3Q0';
const second = 'c2Vjb25kMjI=';

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
const day = 24 * 60;

/** A fake Secrets Manager with the versions of one secret by stage, and readers at a time that the test sets. */
const start = async (
  versions: Readonly<Record<string, { secret: string; createdAt: Date }>>,
  failure = 'ResourceNotFoundException',
) => {
  const responses = new Map(Object.entries(versions));
  const time = { now: noon };
  const aws = await startFakeAws(({ input }): AwsResponse => {
    const version = responses.get(Object(input).VersionStage);
    return version
      ? { status: 200, body: { SecretString: version.secret, CreatedDate: version.createdAt.getTime() / 1000 } }
      : awsError(400, failure);
  });
  const client = new SecretsManagerClient({ endpoint: aws.url });
  return {
    ...aws,
    responses,
    time,
    stages: () => aws.calls.map(({ input }) => Object(input).VersionStage),
    read: signingSecrets(client, 'arn:secret', noTimeout, () => time.now),
    readUrl: namedSecret(client, 'slack-url', chatUrl, noTimeout, () => time.now),
  };
};

it('signs with the only secret, however new', async () => {
  await using service = await start({ AWSCURRENT: { secret: first, createdAt: noon } });
  expect(await service.read()).toStrictEqual([first]);
});

it('signs with the new and the previous secret for a day after a rotation', async () => {
  await using service = await start({
    AWSCURRENT: { secret: second, createdAt: noon },
    AWSPREVIOUS: { secret: first, createdAt: later(-300 * day) },
  });
  expect(await service.read()).toStrictEqual([second, first]);
  service.time.now = later(day);
  expect(await service.read()).toStrictEqual([second, first]);
  service.time.now = later(day + 5);
  expect(await service.read()).toStrictEqual([second]);
  // It no longer reads the previous one.
  expect(service.stages().slice(-2)).toStrictEqual(['AWSPREVIOUS', 'AWSCURRENT']);
});

it('reads the secrets again after five minutes', async () => {
  await using service = await start({ AWSCURRENT: { secret: first, createdAt: later(-2 * day) } });
  await service.read();
  service.responses.set('AWSCURRENT', { secret: second, createdAt: noon });
  service.responses.set('AWSPREVIOUS', { secret: first, createdAt: later(-2 * day) });
  service.time.now = later(4.99);
  expect(await service.read()).toStrictEqual([first]);
  expect(service.calls).toHaveLength(1);
  service.time.now = later(5);
  expect(await service.read()).toStrictEqual([second, first]);
});

it.each(['', 'not base64!', '{"key":"x"}'])('refuses the secret %j', async (secret) => {
  await using service = await start({ AWSCURRENT: { secret, createdAt: noon } });
  await expect(service.read()).rejects.toMatchObject({ reason: 'secret unusable' });
});

it('signs with the new secret only if the previous one is unusable, so that a rotation repairs it', async () => {
  await using service = await start({
    AWSCURRENT: { secret: second, createdAt: noon },
    AWSPREVIOUS: { secret: 'not base64!', createdAt: later(-1) },
  });
  expect(await service.read()).toStrictEqual([second]);
});

it('fails if it must not read the previous secret, because receivers may not have the new one yet', async () => {
  const current = { secret: second, createdAt: noon };
  await using service = await start({ AWSCURRENT: current }, 'AccessDeniedException');
  await expect(service.read()).rejects.toMatchObject({ reason: 'secret AccessDeniedException' });
});

it('reports an unreadable secret, and reads it again the next time', async () => {
  await using service = await start({});
  await expect(service.read()).rejects.toMatchObject({ reason: 'secret ResourceNotFoundException' });
  service.responses.set('AWSCURRENT', { secret: first, createdAt: noon });
  expect(await service.read()).toStrictEqual([first]);
});

it('reads a URL without the line break that an editor added', async () => {
  await using service = await start({ AWSCURRENT: { secret: 'https://hooks.example.com/x\n', createdAt: noon } });
  expect(await service.readUrl()).toBe('https://hooks.example.com/x');
});

it.each(['', 'hooks.example.com/x', 'http://hooks.example.com/x'])('refuses the URL %j', async (secret) => {
  await using service = await start({ AWSCURRENT: { secret, createdAt: noon } });
  await expect(service.readUrl()).rejects.toMatchObject({ reason: 'secret unusable' });
});
