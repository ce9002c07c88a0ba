import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import packageJson from '../../package.json' with { type: 'json' };
import {
  assemblyOf,
  bare,
  domainOfFull,
  full,
  propertiesOfOnly,
  type Resources,
  resourcesOf,
  stacksOf,
  textOf,
} from './synthesize.ts';

const { account: _account, region: _region, ...anywhere } = full;
const stackOf = stacksOf({ bare, full });

test('outputs name the tables and the deployed settings', () => {
  const outputs = Template.fromJSON(stackOf('full').template).findOutputs('*');
  const named = ['ContactsTable', 'CampaignsTable', 'TokensTable', 'Settings'].map((id) =>
    textOf(outputs[id]?.['Value']),
  );
  expect(named).toEqual([
    'TablesContacts',
    'TablesCampaigns',
    'TablesTokens',
    JSON.stringify({
      version: packageJson.version,
      retainData: true,
      retentionDays: 365,
      retentionDaysOfForms: [['sales', 3_650]],
      scansFiles: true,
      triage: true,
      confirmationsPerHour: 10,
      domains: ['contact.example.com'],
    }),
  ]);
});

test("the functions and the access log count under the environment's name, which is that of the stage", () => {
  const template = Template.fromJSON(stackOf('full').template);
  const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
  const names = functions.flatMap(({ Properties }) => Properties.Environment.Variables.ENVIRONMENT ?? []);
  expect(new Set(names)).toEqual(new Set(['full']));
  const { StageName, AccessLogSetting } = propertiesOfOnly(template, 'AWS::ApiGateway::Stage');
  expect(StageName).toBe('full');
  expect(JSON.parse(AccessLogSetting.Format)).toMatchObject({ environment: 'full' });
});

test("a stack has the service's own tags and those of the operator", () => {
  expect(stackOf('bare').tags).toEqual({ Service: 'contact-service', Environment: 'bare' });
  expect(stackOf('full').tags).toEqual({
    Service: 'contact-service',
    Environment: 'full',
    CostCenter: '4711',
  });
});

test('an environment that 3.0.0 deployed with an instance keeps its stack, its base URL, its metrics and its tags', () => {
  const stack = assemblyOf({ prod: { ...bare, instance: 'shop' } }).getStackByName('ContactService-shop-prod');
  const template = Template.fromJSON(stack.template);
  expect(propertiesOfOnly(template, 'AWS::ApiGateway::RestApi')['Name']).toBe('contact-service-shop-prod');
  const { StageName, AccessLogSetting } = propertiesOfOnly(template, 'AWS::ApiGateway::Stage');
  expect(StageName).toBe('prod');
  expect(JSON.parse(AccessLogSetting.Format)).toMatchObject({ environment: 'shop-prod' });
  const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
  const names = functions.flatMap(({ Properties }) => Properties.Environment.Variables.ENVIRONMENT ?? []);
  expect(new Set(names)).toEqual(new Set(['shop-prod']));
  expect(stack.tags).toEqual({ Service: 'contact-service', Environment: 'prod', Instance: 'shop' });
});

test('the context of a cdk.json selects the bootstrap and gives every role a permissions boundary', () => {
  const context = {
    '@aws-cdk/core:bootstrapQualifier': 'acme',
    '@aws-cdk/core:permissionsBoundary': { name: 'developers' },
  };
  const stack = assemblyOf({ full }, { context }).getStackByName(stackName('full'));
  expect(stack.assumeRoleArn).toContain(':role/cdk-acme-deploy-role-');
  expect(stack.bootstrapStackVersionSsmParameter).toBe('/cdk-bootstrap/acme/version');
  expect(JSON.stringify(stack.template)).not.toContain('hnb659fds');
  const roles = Object.entries(resourcesOf(Template.fromJSON(stack.template), 'AWS::IAM::Role'));
  expect(roles.length).toBeGreaterThan(7);
  for (const [id, { Properties }] of roles) {
    expect(textOf(Properties.PermissionsBoundary), id).toBe('arn:aws:iam::123456789012:policy/developers');
  }
});

/** Every text in a value. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

// The principals of services are the same in every partition.
const principals = [
  ...['apigateway', 'cloudwatch', 'events', 'lambda', 'lambda.alarms.cloudwatch', 'sns'],
  'malware-protection-plan.guardduty',
].map((service) => `${service}.amazonaws.com`);

test.each([
  ['cn-north-1', 'aws-cn'],
  ['eusc-de-east-1', 'aws-eusc'],
  [undefined, 'aws-cn'],
])('no URL and no ARN has a fixed partition or domain: %s', (region, partition) => {
  const { certificateArn } = domainOfFull;
  const own = certificateArn.replace('aws:acm:eu-central-1', `${partition}:acm:${region ?? 'cn-north-1'}`);
  const elsewhere = { ...anywhere, ...(region && { region }), domains: [{ ...domainOfFull, certificateArn: own }] };
  const { template } = stacksOf({ elsewhere })('elsewhere');
  const found = textsIn(template).filter((text) => /arn:aws:|amazonaws\.com|aws\.amazon\.com/.test(text));
  expect([...new Set(found)].filter((text) => !principals.includes(text))).toEqual([]);
});

const idsOf = (environment: EnvironmentInput) => {
  const resources: Resources = Template.fromJSON(stacksOf({ x: environment })('x').template).toJSON()['Resources'];
  return Object.keys(resources).filter((id) => resources[id]?.['Type'] !== 'AWS::ApiGateway::Deployment');
};

test('turning files on adds resources to a stack, and replaces none', () => {
  const defended: EnvironmentInput = { ...bare, spam: { proofOfWork: 'mark' } };
  const [without, files] = [idsOf(defended), idsOf({ ...defended, files: {} })];
  expect(without.filter((id) => !files.includes(id))).toEqual([]);
  expect(
    files.filter((id) => !without.includes(id) && !/^(Alarms)?[Ff]iles|^AlarmsfunctionerrorsDeleteFiles/.test(id)),
  ).toEqual([]);
});

test('turning triage on adds resources to a stack, and replaces none but the deployment of the API', () => {
  const [without, triage] = [idsOf(bare), idsOf({ ...bare, triage: true })];
  expect(without.filter((id) => !triage.includes(id))).toEqual([]);
  expect(triage.filter((id) => !without.includes(id) && !/^UpdateContact|PATCH/.test(id))).toEqual([]);
  expect(triage.length).toBeGreaterThan(without.length);
});
