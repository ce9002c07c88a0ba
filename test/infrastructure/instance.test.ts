import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bare, briefly, fakeBundles, full, temporaryFolder } from './synthesize.ts';

const bundles = fakeBundles();

const synthesize = (environments: Parameters<typeof createApp>[0]) =>
  createApp(environments, bundles, { outdir: temporaryFolder(), ...briefly }).synth();

const { account: _account, region: _region, ...anywhere } = full;
const stack = synthesize({ prod: { ...anywhere, instance: 'shop' } }).getStackByName('ContactService-shop-prod');
const template = Template.fromJSON(stack.template);

/** The properties of each resource of a type. */
const propertiesOf = (type: string) => Object.values(template.findResources(type)).map(({ Properties }) => Properties);

/** Every value of a dimension `Environment`, wherever it stands. */
const environmentsIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  const here = 'Name' in value && value.Name === 'Environment' && 'Value' in value ? [value.Value] : [];
  return [...here, ...Object.values(value).flatMap(environmentsIn)];
};

test('every name in the account contains the instance', () => {
  expect(propertiesOf('AWS::ApiGateway::RestApi').map(({ Name }) => Name)).toEqual(['contact-service-shop-prod']);
  expect(propertiesOf('AWS::WAFv2::WebACL').map(({ VisibilityConfig }) => VisibilityConfig.MetricName)).toEqual([
    'ContactService-shop-prod',
  ]);
  for (const { AlarmName } of propertiesOf('AWS::CloudWatch::Alarm'))
    expect(AlarmName).toMatch(/^ContactService-shop-prod-/);
});

test('metrics and alarms have the instance in their dimension Environment', () => {
  const variables = propertiesOf('AWS::Lambda::Function').flatMap(
    ({ Environment }) => Environment?.Variables.ENVIRONMENT ?? [],
  );
  expect(new Set(variables)).toEqual(new Set(['shop-prod']));
  const [stage] = propertiesOf('AWS::ApiGateway::Stage');
  expect(JSON.parse(stage?.AccessLogSetting.Format)).toMatchObject({ environment: 'shop-$context.stage' });
  expect(new Set(propertiesOf('AWS::CloudWatch::Alarm').flatMap(environmentsIn))).toEqual(new Set(['shop-prod']));
});

test('the stage, and so the base URL, does not contain the instance', () => {
  expect(propertiesOf('AWS::ApiGateway::Stage').map(({ StageName }) => StageName)).toEqual(['prod']);
});

test("a stack has the service's own tags and those of the operator", () => {
  expect(stack.tags).toEqual({ Service: 'contact-service', Environment: 'prod', Instance: 'shop' });
  const tagged = synthesize({ prod: { ...bare, tags: { CostCenter: '4711' } } }).getStackByName('ContactService-prod');
  expect(tagged.tags).toEqual({ Service: 'contact-service', Environment: 'prod', CostCenter: '4711' });
});
