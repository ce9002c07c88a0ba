import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import { onTestFinished } from 'vitest';
import { findAnnouncedStore } from '../../../../lib/local/host/store/announcement.ts';
import type { TestStack } from '../test-host.ts';

/** How a client reaches the services of a running host, as another process does. */
export const optionsFor = async (dataDir: string) => {
  const { services: endpoint, accessKeyId = '' } = (await findAnnouncedStore(dataDir)) ?? {};
  if (endpoint === undefined) throw new Error('There are no services');
  return {
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId, secretAccessKey: 'any' },
    maxAttempts: 1,
  };
};

/** Clients of the services, until the test ends. */
export const connect = async (dataDir: string) => {
  const options = await optionsFor(dataDir);
  const connected = {
    lambda: new LambdaClient(options),
    secretsManager: new SecretsManagerClient(options),
    ses: new SESv2Client(options),
  };
  onTestFinished(() => {
    for (const client of Object.values(connected)) client.destroy();
  });
  return connected;
};

/** What makes a stack have services. */
export const addIdentity = (stack: TestStack, identity = 'office@example.com') =>
  new EmailIdentity(stack, `Identity-${identity}`, {
    identity: identity.includes('@') ? Identity.email(identity) : Identity.domain(identity),
  });
