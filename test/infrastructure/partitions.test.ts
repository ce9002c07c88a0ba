import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { briefly, domainOfFull, fakeBundles, full, temporaryFolder } from './synthesize.ts';

/** Everything that an environment can have, in China, in GovCloud, in the European Sovereign Cloud, and wherever the credentials are. */
const inRegion = (region: string, partition: string) => ({
  ...full,
  region,
  domains: [
    {
      ...domainOfFull,
      certificateArn: domainOfFull.certificateArn.replace('aws:acm:eu-central-1', `${partition}:acm:${region}`),
    },
  ],
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
const principals = ['apigateway', 'cloudwatch', 'lambda', 'sns'].map((service) => `${service}.amazonaws.com`);

test.each(Object.keys(environments))('no URL and no ARN has a fixed partition or domain: %s', (environment) => {
  const found = textsIn(templateOf(environment)).filter((text) => fixed.test(text));
  expect([...new Set(found)].filter((text) => !principals.includes(text))).toEqual([]);
});
