import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { briefly, fakeBundles, full, temporaryFolder, textOf } from './synthesize.ts';

/** Everything that an environment can have, in China, in GovCloud, in the European Sovereign Cloud, and wherever the credentials are. */
const inRegion = (region: string, partition: string) => ({
  ...full,
  region,
  customDomain: {
    ...full.customDomain,
    certificateArn: full.customDomain.certificateArn.replace('aws:acm:eu-central-1', `${partition}:acm:${region}`),
  },
});
const { account: _account, region: _region, ...anywhere } = inRegion('cn-north-1', 'aws-cn');
const environments = {
  china: inRegion('cn-north-1', 'aws-cn'),
  gov: inRegion('us-gov-west-1', 'aws-us-gov'),
  sovereign: inRegion('eusc-de-east-1', 'aws-eusc'),
  anywhere,
};

const assembly = createApp(environments, fakeBundles(), { outdir: temporaryFolder(), ...briefly }).synth();
const templateOf = (environment: string) => assembly.getStackByName(stackName(environment)).template;

/** Every text in a value. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const fixed = /arn:aws:|amazonaws\.com|aws\.amazon\.com/;

/**
 * What may name a domain: the principals of services, which are the same in every partition (the CDK's own
 * `ServicePrincipal` writes them so for each region).
 */
const principals = ['apigateway', 'cloudwatch', 'lambda', 'pipes', 'sns'].map((service) => `${service}.amazonaws.com`);

test.each(Object.keys(environments))('no URL and no ARN has a fixed partition or domain: %s', (environment) => {
  const { Mappings: _consoles, ...template } = templateOf(environment);
  const found = textsIn(template).filter((text) => fixed.test(text));
  expect([...new Set(found)].filter((text) => !principals.includes(text))).toEqual([]);
});

const outputOf = (environment: string, output: string) =>
  textOf(Template.fromJSON(templateOf(environment)).findOutputs(output)[output]?.['Value']);

test.each([
  ['china', 'https://console.amazonaws.cn/cloudwatch/home?region=cn-north-1#'],
  ['gov', 'https://console.amazonaws-us-gov.com/cloudwatch/home?region=us-gov-west-1#'],
  ['sovereign', 'https://console.amazonaws-eusc.eu/cloudwatch/home?region=eusc-de-east-1#'],
  ['anywhere', 'https://OverviewConsoleDomains[AWS::Partition].domain/cloudwatch/home?region=AWS::Region#'],
])('the dashboard is in the console of the partition: %s', (environment, start) => {
  expect(outputOf(environment, 'Dashboard')).toMatch(new RegExp(`^${start.replaceAll(/[.?[\]]/g, '\\$&')}`));
});
