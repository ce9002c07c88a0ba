import { expect, test } from 'vitest';
import { bare, full, resourcesOf, synthesize, textOf } from '../synthesize.ts';

const { name, certificateArn, hostedZone } = full.customDomain;
const other = { name: 'forms.example.org', certificateArn: `${certificateArn}-of-other` };

const steps = {
  // The first name of one's own, as it was written before there could be two.
  first: { ...bare, customDomain: { name, certificateArn } },
  alone: { ...bare, customDomain: { name, certificateArn, defaultEndpoint: false } },
  // From one name to another.
  both: { ...bare, customDomain: { name, certificateArn, hostedZone }, customDomains: [other] },
  moved: { ...bare, customDomains: [other], defaultEndpoint: false },
  // And back, without the setting for one name.
  back: { ...bare, customDomains: [other, { name, certificateArn, hostedZone }], defaultEndpoint: false },
};

const template = synthesize(steps);

type Step = keyof typeof steps;

/** The names under which the API answers, each by its logical id. */
const namesOf = (step: Step) =>
  Object.fromEntries(
    Object.entries(template(step).findResources('AWS::ApiGateway::DomainName')).map(([id, { Properties }]) => [
      Properties.DomainName,
      id,
    ]),
  );

const outputsOf = (step: Step) =>
  Object.fromEntries(Object.entries(template(step).findOutputs('*')).map(([id, { Value }]) => [id, textOf(Value)]));

const defaultIsOff = (step: Step) =>
  Object.values(resourcesOf(template(step), 'AWS::ApiGateway::RestApi')).map(
    ({ Properties }) => Properties.DisableExecuteApiEndpoint,
  );

const hostIsLogged = (step: Step) => {
  const [stage] = Object.values(resourcesOf(template(step), 'AWS::ApiGateway::Stage'));
  return 'host' in JSON.parse(stage?.['Properties'].AccessLogSetting.Format);
};

test.each<[step: Step, names: string[], off: boolean, isLogged: boolean]>([
  ['first', [name], false, true],
  ['alone', [name], true, false],
  ['both', [name, other.name], false, true],
  ['moved', [other.name], true, false],
  ['back', [other.name, name], true, true],
])(
  '%s: it answers at %j; the name of the gateway is off: %s; the log tells the names apart: %s',
  (step, names, off, isLogged) => {
    expect(Object.keys(namesOf(step)).toSorted()).toEqual(names.toSorted());
    expect(defaultIsOff(step)).toEqual([off]);
    expect(hostIsLogged(step)).toBe(isLogged);
  },
);

test('what is deployed keeps its logical ids from step to step, or it would be made anew', () => {
  const first = 'ApiRestApiCustomDomainA8BAC987';
  expect(namesOf('first')[name]).toBe(first);
  expect(namesOf('both')[name]).toBe(first);
  expect(namesOf('moved')[other.name]).toBe(namesOf('both')[other.name]);
  expect(namesOf('back')[other.name]).toBe(namesOf('both')[other.name]);
  expect(template('both').findResources('AWS::Route53::RecordSet')).toHaveProperty('DomainRecordA2D6DC35');
});

test('each name leads to the stage, with the certificate and the record that it has', () => {
  const domains = resourcesOf(template('back'), 'AWS::ApiGateway::DomainName');
  expect(
    Object.values(domains).map(({ Properties }) => [Properties.DomainName, Properties.RegionalCertificateArn]),
  ).toEqual([
    [other.name, other.certificateArn],
    [name, certificateArn],
  ]);
  const mappings = Object.values(resourcesOf(template('back'), 'AWS::ApiGateway::BasePathMapping'));
  expect(mappings.map(({ Properties }) => textOf(Properties.DomainName))).toEqual(Object.keys(domains));
  for (const { Properties } of mappings) expect(textOf(Properties.Stage)).toBe('ApiRestApiDeploymentStageback');
  const [record, ...more] = Object.values(resourcesOf(template('back'), 'AWS::Route53::RecordSet'));
  expect([record?.['Properties'].Name, more]).toEqual([name, []]);
});

test('the base URL is that of the last name, and each URL and target that is of use besides is said', () => {
  const ofGateway = (step: Step) =>
    `https://ApiRestApi.execute-api.AWS::Region.AWS::URLSuffix/ApiRestApiDeploymentStage${step}`;
  const first = 'ApiRestApiCustomDomain';
  const second = 'ApiRestApiCustomDomainformsexampleorg';
  expect(outputsOf('first')).toMatchObject({
    BaseUrl: `https://${first}`,
    DefaultUrl: ofGateway('first'),
    DomainTarget: `${first}.RegionalDomainName`,
  });
  expect(outputsOf('both')).toMatchObject({
    BaseUrl: `https://${second}`,
    DefaultUrl: ofGateway('both'),
    DomainTarget: `${first}.RegionalDomainName`,
    DomainTargetFormsExampleOrg: `${second}.RegionalDomainName`,
  });
  expect(outputsOf('back')).toMatchObject({ BaseUrl: 'https://ApiRestApiCustomDomaincontactexamplecom' });
  for (const step of ['alone', 'moved', 'back'] as const) expect(outputsOf(step)).not.toHaveProperty('DefaultUrl');
  expect(outputsOf('moved')).not.toHaveProperty('DomainTarget');
  expect(outputsOf('both')['Settings']).toContain(JSON.stringify({ domains: [name, other.name] }).slice(1, -1));
});
