import { expect, test } from 'vitest';
import { bare, domainOfFull, propertiesOfOnly, resourcesOf, synthesize, textOf } from './synthesize.ts';

const { name, certificateArn, hostedZone } = domainOfFull;
const other = { name: 'forms.example.org', certificateArn: `${certificateArn}-of-other` };

/** A move from the gateway's URL to a domain, and to another one. */
const steps = {
  bare,
  first: { ...bare, domains: [domainOfFull] },
  both: { ...bare, domains: [domainOfFull, other] },
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

const ids = ['ApiRestApiCustomDomaincontactexamplecom', 'ApiRestApiCustomDomainformsexampleorg'];
const byGateway = (step: Step) =>
  `https://ApiRestApi.execute-api.AWS::Region.AWS::URLSuffix/ApiRestApiDeploymentStage${step}`;

test.each<[step: Step, isDefaultOff: boolean, isHostLogged: boolean, urls: object]>([
  ['bare', false, false, { BaseUrl: byGateway('bare') }],
  ['first', false, true, { BaseUrl: `https://${ids[0]}`, DefaultUrl: byGateway('first') }],
  ['both', false, true, { BaseUrl: `https://${ids[1]}`, DefaultUrl: byGateway('both') }],
  ['moved', true, false, { BaseUrl: `https://${ids[1]}` }],
])(
  '%s: the gateway’s URL is off: %s; the log names hosts: %s; outputs name the URLs',
  (step, isOff, isLogged, urls) => {
    expect(propertiesOfOnly(template(step), 'AWS::ApiGateway::RestApi')['DisableExecuteApiEndpoint']).toBe(isOff);
    const { AccessLogSetting } = propertiesOfOnly(template(step), 'AWS::ApiGateway::Stage');
    expect('host' in JSON.parse(AccessLogSetting.Format)).toBe(isLogged);
    const named = Object.entries(template(step).findOutputs('*')).filter(([id]) => id.endsWith('Url'));
    expect(Object.fromEntries(named.map(([id, { Value }]) => [id, textOf(Value)]))).toEqual(urls);
  },
);

test('a domain keeps its logical id from step to step, or CloudFormation would replace it', () => {
  expect(domainsOf('both')[name]).toBe(domainsOf('first')[name]);
  expect(domainsOf('moved')[other.name]).toBe(domainsOf('both')[other.name]);
});

test('each domain leads to the stage, with its certificate, its record and the target of a CNAME', () => {
  const domains = resourcesOf(template('both'), 'AWS::ApiGateway::DomainName');
  expect(
    Object.entries(domains).map(([id, { Properties }]) => [
      id,
      Properties.DomainName,
      Properties.RegionalCertificateArn,
    ]),
  ).toEqual([
    [ids[0], name, certificateArn],
    [ids[1], other.name, other.certificateArn],
  ]);
  const mappings = Object.values(resourcesOf(template('both'), 'AWS::ApiGateway::BasePathMapping'));
  expect(mappings.map(({ Properties }) => textOf(Properties.DomainName))).toEqual(ids);
  for (const { Properties } of mappings) expect(textOf(Properties.Stage)).toBe('ApiRestApiDeploymentStageboth');
  const { AliasTarget, ...record } = propertiesOfOnly(template('both'), 'AWS::Route53::RecordSet');
  expect(record).toEqual({ HostedZoneId: hostedZone.id, Name: name, Type: 'A' });
  expect([AliasTarget.DNSName, AliasTarget.HostedZoneId].map(textOf)).toEqual([
    `${ids[0]}.RegionalDomainName`,
    `${ids[0]}.RegionalHostedZoneId`,
  ]);
  const targets = Object.entries(template('both').findOutputs('*')).filter(([id]) => id.startsWith('DomainTarget'));
  expect(targets.map(([id, { Value }]) => [id, textOf(Value)])).toEqual([
    ['DomainTargetContactExampleCom', `${ids[0]}.RegionalDomainName`],
    ['DomainTargetFormsExampleOrg', `${ids[1]}.RegionalDomainName`],
  ]);
});
