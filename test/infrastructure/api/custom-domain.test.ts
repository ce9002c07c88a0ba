import { expect, test } from 'vitest';
import { bare, domainOfFull, resourcesOf, synthesize, textOf } from '../synthesize.ts';

const { name, certificateArn, hostedZone } = domainOfFull;
const other = { name: 'forms.example.org', certificateArn: `${certificateArn}-of-other` };

const steps = {
  first: { ...bare, customDomains: [{ name, certificateArn }] },
  alone: { ...bare, customDomains: [{ name, certificateArn }], defaultEndpoint: false },
  // From one name to another, and back.
  both: { ...bare, customDomains: [{ name, certificateArn, hostedZone }, other] },
  moved: { ...bare, customDomains: [other], defaultEndpoint: false },
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
  expect(namesOf('both')[name]).toBe(namesOf('first')[name]);
  expect(namesOf('moved')[other.name]).toBe(namesOf('both')[other.name]);
  expect(namesOf('back')[other.name]).toBe(namesOf('both')[other.name]);
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
  const first = 'ApiRestApiCustomDomaincontactexamplecom';
  const second = 'ApiRestApiCustomDomainformsexampleorg';
  expect(outputsOf('first')).toMatchObject({
    BaseUrl: `https://${first}`,
    DefaultUrl: ofGateway('first'),
    DomainTargetContactExampleCom: `${first}.RegionalDomainName`,
  });
  expect(outputsOf('both')).toMatchObject({
    BaseUrl: `https://${second}`,
    DefaultUrl: ofGateway('both'),
    DomainTargetContactExampleCom: `${first}.RegionalDomainName`,
    DomainTargetFormsExampleOrg: `${second}.RegionalDomainName`,
  });
  expect(outputsOf('back')).toMatchObject({ BaseUrl: `https://${first}` });
  for (const step of ['alone', 'moved', 'back'] as const) expect(outputsOf(step)).not.toHaveProperty('DefaultUrl');
  expect(outputsOf('moved')).not.toHaveProperty('DomainTargetContactExampleCom');
  expect(outputsOf('both')['Settings']).toContain(JSON.stringify({ domains: [name, other.name] }).slice(1, -1));
});
