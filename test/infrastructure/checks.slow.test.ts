import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import * as v from 'valibot';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCheckedApp } from '../../lib/infrastructure/checks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bare, briefly, fakeBundles, full } from './synthesize.ts';

const createApp = (settings: Parameters<typeof createCheckedApp>[0]) =>
  createCheckedApp(settings, fakeBundles(), { outdir: temporaryFolder(), ...briefly });

const report = v.object({
  pluginReports: v.array(
    v.object({ violations: v.array(v.object({ severity: v.string(), description: v.string() })) }),
  ),
});

/** The warnings of a synthesis, which throws if a finding is an error. */
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

const { account: _account, region: _region, ...anywhere } = full;

test.each([
  ['every setting, in one account and region', { full }],
  ['every setting, anywhere', { full: anywhere }],
])('the only findings are example values in the settings: %s', (_, environments) => {
  const findings = findingsIn(environments).filter((finding) => !finding.includes('concurrent executions'));
  expect(findings).toEqual([
    expect.stringMatching(
      /^warning: Environment "full" still has example\.com in sites\.0\.origin, .*domains\.0\.name.*\. Write your own values/,
    ),
  ]);
});

test('warns of example.com, and not of similar names', () => {
  const sites = ['https://my-example.com', 'https://www.example.com.au', 'https://notexample.com'];
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
