import { expect, test } from 'vitest';
import { bare, domainOfFull, resourcesOf, synthesize, textOf } from './synthesize.ts';

const { name, certificateArn, hostedZone } = domainOfFull;
const other = { name: 'forms.example.org', certificateArn: `${certificateArn}-of-other` };

/** A move from the gateway's URL to a domain, and to another one. */
const steps = {
  none: bare,
  first: { ...bare, domains: [{ name, certificateArn, hostedZone }] },
  alone: { ...bare, domains: [{ name, certificateArn, hostedZone }], defaultEndpoint: false },
  both: { ...bare, domains: [{ name, certificateArn, hostedZone }, other] },
  moved: { ...bare, domains: [other], defaultEndpoint: false },
};

const template = synthesize(steps);

type Step = keyof typeof steps;

/** The domains, each with its logical id. */
const domainsOf = (step: Step) =>
  Object.fromEntries(
    Object.entries(template(step).findResources('AWS::ApiGateway::DomainName')).map(([id, { Properties }]) => [
      Properties.DomainName,
      id,
    ]),
  );

const outputsOf = (step: Step) =>
  Object.fromEntries(Object.entries(template(step).findOutputs('*')).map(([id, { Value }]) => [id, textOf(Value)]));

test.each<[step: Step, names: string[], isDefaultOff: boolean, isHostLogged: boolean]>([
  ['none', [], false, false],
  ['first', [name], false, true],
  ['alone', [name], true, false],
  ['both', [name, other.name], false, true],
  ['moved', [other.name], true, false],
])('%s: has the domains %j; the gateway’s URL is off: %s; the log names hosts: %s', (step, names, isOff, isLogged) => {
  expect(Object.keys(domainsOf(step)).toSorted()).toEqual(names.toSorted());
  const [api] = Object.values(resourcesOf(template(step), 'AWS::ApiGateway::RestApi'));
  expect(api?.['Properties'].DisableExecuteApiEndpoint).toBe(isOff);
  const [stage] = Object.values(resourcesOf(template(step), 'AWS::ApiGateway::Stage'));
  expect('host' in JSON.parse(stage?.['Properties'].AccessLogSetting.Format)).toBe(isLogged);
});

test('a domain keeps its logical id from step to step, or CloudFormation would replace it', () => {
  expect(domainsOf('both')[name]).toBe(domainsOf('first')[name]);
  expect(domainsOf('moved')[other.name]).toBe(domainsOf('both')[other.name]);
});

test('each domain leads to the stage, with its certificate and its record', () => {
  const domains = resourcesOf(template('both'), 'AWS::ApiGateway::DomainName');
  expect(
    Object.values(domains).map(({ Properties }) => [Properties.DomainName, Properties.RegionalCertificateArn]),
  ).toEqual([
    [name, certificateArn],
    [other.name, other.certificateArn],
  ]);
  const mappings = Object.values(resourcesOf(template('both'), 'AWS::ApiGateway::BasePathMapping'));
  expect(mappings.map(({ Properties }) => textOf(Properties.DomainName))).toEqual(Object.keys(domains));
  for (const { Properties } of mappings) expect(textOf(Properties.Stage)).toBe('ApiRestApiDeploymentStageboth');
  const [record, ...more] = Object.values(resourcesOf(template('both'), 'AWS::Route53::RecordSet'));
  const { AliasTarget, ...properties } = record?.['Properties'] ?? {};
  expect([properties, more]).toEqual([{ HostedZoneId: hostedZone.id, Name: name, Type: 'A' }, []]);
  const id = 'ApiRestApiCustomDomaincontactexamplecom';
  expect(textOf(AliasTarget.DNSName)).toBe(`${id}.RegionalDomainName`);
  expect(textOf(AliasTarget.HostedZoneId)).toBe(`${id}.RegionalHostedZoneId`);
});

test('the base URL has the last domain; outputs name the other URLs and the targets of CNAMEs', () => {
  const ofGateway = (step: Step) =>
    `https://ApiRestApi.execute-api.AWS::Region.AWS::URLSuffix/ApiRestApiDeploymentStage${step}`;
  const first = 'ApiRestApiCustomDomaincontactexamplecom';
  const second = 'ApiRestApiCustomDomainformsexampleorg';
  expect(outputsOf('none')['BaseUrl']).toBe(ofGateway('none'));
  expect(outputsOf('first')).toMatchObject({ BaseUrl: `https://${first}`, DefaultUrl: ofGateway('first') });
  expect(outputsOf('both')).toMatchObject({
    BaseUrl: `https://${second}`,
    DomainTargetContactExampleCom: `${first}.RegionalDomainName`,
    DomainTargetFormsExampleOrg: `${second}.RegionalDomainName`,
  });
  expect(outputsOf('moved')).not.toHaveProperty('DefaultUrl');
  expect(outputsOf('both')['Settings']).toContain(JSON.stringify({ domains: [name, other.name] }).slice(1, -1));
});
