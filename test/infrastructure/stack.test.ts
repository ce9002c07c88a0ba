import { Template } from 'aws-cdk-lib/assertions';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { bare, briefly, fakeBundles, full, targetsOfFull, temporaryFolder, textOf } from './synthesize.ts';

const bundles = fakeBundles();

const assembly = createApp({ bare, full }, bundles, { outdir: temporaryFolder(), ...briefly }).synth();

const stackOf = (environment: string) => assembly.getStackByName(stackName(environment));

const outputsOf = (environment: string) =>
  Object.fromEntries(
    Object.entries(Template.fromJSON(stackOf(environment).template).findOutputs('*')).map(([id, { Value }]) => [
      id,
      textOf(Value),
    ]),
  );

const tables = {
  ContactsTable: 'TablesContacts',
  CampaignsTable: 'TablesCampaigns',
  TokensTable: 'TablesTokens',
};

test('a stack says its base URL, its tables and what it was deployed with', () => {
  expect(outputsOf('bare')).toEqual({
    BaseUrl: 'https://ApiRestApi.execute-api.AWS::Region.AWS::URLSuffix/ApiRestApiDeploymentStagebare',
    ...tables,
    Settings: JSON.stringify({ version: packageJson.version, retainData: false }),
  });
});

test('with a custom domain and notifications, it says besides what must be set up on the other side, and what is read', () => {
  expect(outputsOf('full')).toEqual({
    BaseUrl: 'https://ApiRestApiCustomDomaincontactexamplecom',
    DefaultUrl: 'https://ApiRestApi.execute-api.eu-central-1.AWS::URLSuffix/ApiRestApiDeploymentStagefull',
    DomainTargetContactExampleCom: 'ApiRestApiCustomDomaincontactexamplecom.RegionalDomainName',
    ...tables,
    Settings: JSON.stringify({
      version: packageJson.version,
      retainData: true,
      retentionDays: full.retentionDays,
      domains: ['contact.example.com'],
    }),
    NotifyFunction: 'NotificationsNotify',
    DeadLetters: 'NotificationsDeadLetters',
    FanOutFailures: 'NotificationsFanOutFailures',
    // What it says of each: notifications/notifications.test.ts.
    ...Object.fromEntries(
      targetsOfFull.map((id) => [id.replace('Notifications', 'Notify'), expect.stringContaining(id)]),
    ),
  });
});

test('a stack goes to the account and region of its environment, or to those of the credentials', () => {
  expect(stackOf('full').environment).toMatchObject({ account: '123456789012', region: 'eu-central-1' });
  expect(stackOf('bare').environment).toMatchObject({ account: 'unknown-account', region: 'unknown-region' });
});

test('a stack whose data are kept cannot be destroyed by mistake', () => {
  expect(stackOf('full').terminationProtection).toBe(true);
  expect(stackOf('bare').terminationProtection).toBe(false);
});

test('the CDK behaves as it recommends, whatever the context of who synthesizes says', () => {
  const context = Object.fromEntries(Object.keys(featureFlags).map((flag) => [flag, 'of somebody else']));
  const { node } = createApp({ bare }, bundles, { outdir: temporaryFolder(), context });
  for (const [flag, recommended] of Object.entries(featureFlags)) {
    expect(node.tryGetContext(flag), flag).toEqual(recommended);
  }
});
