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

test("two services of an account have no name in common: the instance's stands in each", () => {
  expect(propertiesOf('AWS::ApiGateway::RestApi').map(({ Name }) => Name)).toEqual(['contact-service-shop-prod']);
  expect(propertiesOf('AWS::WAFv2::WebACL').map(({ VisibilityConfig }) => VisibilityConfig.MetricName)).toEqual([
    'ContactService-shop-prod',
  ]);
  for (const { AlarmName } of propertiesOf('AWS::CloudWatch::Alarm'))
    expect(AlarmName).toMatch(/^ContactService-shop-prod-/);
});

test('what counts and what looks at the counts name the environment with its instance', () => {
  const variables = propertiesOf('AWS::Lambda::Function').flatMap(
    ({ Environment }) => Environment?.Variables.ENVIRONMENT ?? [],
  );
  expect(new Set(variables)).toEqual(new Set(['shop-prod']));
  const [stage] = propertiesOf('AWS::ApiGateway::Stage');
  expect(JSON.parse(stage?.AccessLogSetting.Format)).toMatchObject({ environment: 'shop-$context.stage' });
  expect(new Set(propertiesOf('AWS::CloudWatch::Alarm').flatMap(environmentsIn))).toEqual(new Set(['shop-prod']));
});

test('the stage, and so the base URL, is called as ever', () => {
  expect(propertiesOf('AWS::ApiGateway::Stage').map(({ StageName }) => StageName)).toEqual(['prod']);
});

test("costs can be told apart by tags: the service's own, and those of the operator besides", () => {
  expect(stack.tags).toEqual({ Service: 'contact-service', Environment: 'prod', Instance: 'shop' });
  const tagged = synthesize({ prod: { ...bare, tags: { CostCenter: '4711' } } }).getStackByName('ContactService-prod');
  expect(tagged.tags).toEqual({ Service: 'contact-service', Environment: 'prod', CostCenter: '4711' });
});

test('what would be one stack is refused', () => {
  expect(() => synthesize({ 'shop-prod': bare, prod: { ...bare, instance: 'shop' }, dev: bare })).toThrow(
    'Environments "shop-prod" and "prod": both are the stack ContactService-shop-prod: name one otherwise',
  );
});
