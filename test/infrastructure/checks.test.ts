import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { IConstruct } from 'constructs';
import * as v from 'valibot';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCheckedApp } from '../../lib/infrastructure/checks.ts';
import { environments } from '../support/environments.ts';
import { bare, briefly, fakeBundles, full, functionIds, targetsOfFull, temporaryFolder } from './synthesize.ts';

const createApp = (settings: Parameters<typeof createCheckedApp>[0]) =>
  createCheckedApp(settings, fakeBundles(), { outdir: temporaryFolder(), ...briefly });

const report = v.object({
  pluginReports: v.array(
    v.object({ violations: v.array(v.object({ severity: v.string(), description: v.string() })) }),
  ),
});

/** The warnings of a synthesis. */
const findingsIn = (settings: Parameters<typeof createCheckedApp>[0]) => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const { directory } = createApp(settings).synth();
  const { pluginReports } = v.parse(
    report,
    JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')),
  );
  return pluginReports.flatMap(({ violations }) => violations.map((each) => `${each.severity}: ${each.description}`));
};

test('the only findings are example values in the settings', () => {
  // Synthesis throws if a finding is an error.
  const known = { ...full, notifications: { ...full.notifications, existingIdentities: true } };
  const { account, region, ...anywhere } = known;
  const findings = findingsIn({ ...environments, full, known, anywhere });
  const expected = /still has example\.com|concurrent executions/;
  expect(findings.filter((finding) => !expected.test(finding))).toEqual([]);
  expect(findings.filter((finding) => finding.includes('"full"'))).toEqual([
    'warning: Environment "full" still has example.com, in sites.0.origin, sites.0.thankYouUrl, sites.1.origin, alarmEmails.0, notifications.from, notifications.emails.0, notifications.webhooks.0.url, domains.0.name, domains.0.hostedZone.name: write your own values (docs/settings.md)',
  ]);
});

test('warns of example.com, and not of similar names', () => {
  const sites = [
    'https://my-example.com',
    'https://www.example.com.au',
    'https://notexample.com',
    'https://example.de',
  ];
  expect(findingsIn({ bare: { ...bare, sites: sites.map((origin) => ({ origin })) } })).toEqual([]);
  const example = { origin: 'https://a.test', thankYouUrl: 'https://EXAMPLE.com/thanks' };
  expect(findingsIn({ bare: { ...bare, sites: [example] } })).toHaveLength(1);
});

test('refuses what the rules of AWS Solutions object to', () => {
  const app = createApp({});
  new Queue(new Stack(app, 'Careless'), 'PlainTextQueue');
  expect(() => app.synth()).toThrow(/AwsSolutions-SQS4/);
});

test('refuses what CloudFormation would refuse', () => {
  const app = createApp({});
  const visibilityConfig = { metricName: 'Acl', cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
  const properties = { scope: 'GLOBAL', defaultAction: { allow: {} }, visibilityConfig };
  new CfnWebACL(new Stack(app, 'Careless'), 'Acl', properties);
  expect(() => app.synth()).toThrow(/'GLOBAL' is not one of/);
});

/** The acknowledged findings below a construct: `<finding> at <path>`. */
const acknowledgedBelow = (construct: IConstruct): string[] => [
  ...construct.node.metadata
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.keys(data))
    .map((finding) => `${finding.replace(/^Annotation::/, '')} at ${construct.node.path}`),
  ...construct.node.children.flatMap(acknowledgedBelow),
];

test('acknowledges only these findings', () => {
  const ofAll = (stack: string) => [
    `AwsSolutions-APIG2 at ${stack}/Api/RestApi`,
    `AwsSolutions-APIG4 at ${stack}/Api/RestApi/Default/api/v1/contact/OPTIONS`,
    `AwsSolutions-APIG4 at ${stack}/Api/RestApi/Default/api/v1/contact/POST`,
    `AwsSolutions-APIG6 at ${stack}/Api/RestApi`,
    `AwsSolutions-COG4 at ${stack}/Api/RestApi`,
    `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs] at ${stack}/Api/RestApi`,
  ];
  expect(acknowledgedBelow(createApp({ bare, full })).toSorted()).toEqual(
    [
      ...ofAll('ContactService-bare/Default'),
      // It has no web ACL.
      'AwsSolutions-APIG3 at ContactService-bare/Default/Api/RestApi',
      ...ofAll('ContactService-full/Default'),
      ...functionIds.map((name) => `AwsSolutions-IAM5[Resource::*] at ContactService-full/Default/${name}Role`),
      `AwsSolutions-SMG4 at ContactService-full/Default/${targetsOfFull[1].replace('Notifications', 'Notifications/')}/Secret`,
      'AwsSolutions-SQS3 at ContactService-full/Default/Notifications/DeadLetters',
      'AwsSolutions-SQS3 at ContactService-full/Default/Notifications/FanOutFailures',
    ].toSorted(),
  );
});
