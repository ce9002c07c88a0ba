import { Template } from 'aws-cdk-lib/assertions';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { stackName } from '../../lib/infrastructure/settings.ts';
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

test('outputs name the base URL, the tables and the deployed settings', () => {
  expect(outputsOf('bare')).toEqual({
    BaseUrl: 'https://ApiRestApi.execute-api.AWS::Region.AWS::URLSuffix/ApiRestApiDeploymentStagebare',
    ...tables,
    Settings: JSON.stringify({ version: packageJson.version, retainData: false }),
  });
});

test('outputs name the target of a domain and the parts of notifications', () => {
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
    ...Object.fromEntries(
      targetsOfFull.map((id) => [id.replace('Notifications', 'Notify'), expect.stringContaining(id)]),
    ),
  });
});

test('a stack has the account and region of its environment, or those of the credentials', () => {
  expect(stackOf('full').environment).toMatchObject({ account: '123456789012', region: 'eu-central-1' });
  expect(stackOf('bare').environment).toMatchObject({ account: 'unknown-account', region: 'unknown-region' });
});

test('with retainData, the stack has termination protection', () => {
  expect(stackOf('full').terminationProtection).toBe(true);
  expect(stackOf('bare').terminationProtection).toBe(false);
});

test('the app has the recommended feature flags, whatever the context says', () => {
  const context = Object.fromEntries(Object.keys(featureFlags).map((flag) => [flag, 'of somebody else']));
  const { node } = createApp({ bare }, bundles, { outdir: temporaryFolder(), context });
  for (const [flag, recommended] of Object.entries(featureFlags)) {
    expect(node.tryGetContext(flag), flag).toEqual(recommended);
  }
});
