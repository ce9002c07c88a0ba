import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { IConstruct } from 'constructs';
import { expect, test } from 'vitest';
import { environments } from '../../lib/environments.ts';
import { createCheckedApp } from '../../lib/infrastructure/checks.ts';
import { bare, fakeBundles, full, functionIds, temporaryFolder } from './synthesize.ts';

const createApp = (settings: Parameters<typeof createCheckedApp>[0]) =>
  createCheckedApp(settings, fakeBundles(), { outdir: temporaryFolder() });

/** The checks read large rule sets first. */
const timeout = 120_000;

test('no environment has a finding that is not acknowledged', { timeout }, () => {
  // Synthesis throws its report of findings, if there is one.
  const { directory } = createApp({ ...environments, full }).synth();
  expect(JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')).pluginReports).toEqual([]);
});

test('what the rules of AWS Solutions object to is not synthesized', { timeout }, () => {
  const app = createApp({});
  new Queue(new Stack(app, 'Careless'), 'PlainTextQueue');
  expect(() => app.synth()).toThrow(/AwsSolutions-SQS4/);
});

test('what CloudFormation would refuse is not synthesized', { timeout }, () => {
  const app = createApp({});
  const visibilityConfig = { metricName: 'Acl', cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
  const properties = { scope: 'GLOBAL', defaultAction: { allow: {} }, visibilityConfig };
  new CfnWebACL(new Stack(app, 'Careless'), 'Acl', properties);
  expect(() => app.synth()).toThrow(/'GLOBAL' is not one of/);
});

/** What is acknowledged below a construct: `<finding> at <path>`. */
const acknowledgedBelow = (construct: IConstruct): string[] => [
  ...construct.node.metadata
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.keys(data))
    .map((finding) => `${finding.replace(/^Annotation::/, '')} at ${construct.node.path}`),
  ...construct.node.children.flatMap(acknowledgedBelow),
];

test('nothing is acknowledged but what is listed here', () => {
  const ofAll = (stack: string) => [
    ...functionIds.map((name) => `AwsSolutions-IAM5[Resource::*] at ${stack}/${name}Role`),
    `AwsSolutions-APIG2 at ${stack}/Api/RestApi`,
    `AwsSolutions-APIG4 at ${stack}/Api/RestApi/Default/api/v1/contact/OPTIONS`,
    `AwsSolutions-APIG4 at ${stack}/Api/RestApi/Default/api/v1/contact/POST`,
    `AwsSolutions-APIG6 at ${stack}/Api/RestApi`,
    `AwsSolutions-COG4 at ${stack}/Api/RestApi`,
    `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs] at ${stack}/Api/RestApi`,
  ];
  expect(acknowledgedBelow(createApp({ bare, full })).toSorted()).toEqual(
    [
      ...ofAll('ContactService-bare'),
      // It has no web ACL.
      'AwsSolutions-APIG3 at ContactService-bare/Api/RestApi',
      ...ofAll('ContactService-full'),
      'AwsSolutions-SMG4 at ContactService-full/Notifications/WebhookKey',
      'AwsSolutions-SQS3 at ContactService-full/Notifications/DeadLetters',
    ].toSorted(),
  );
});
