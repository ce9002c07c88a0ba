import { App, CfnParameter, CfnResource, Stack, Token } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import * as v from 'valibot';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { ContactService } from '../../lib/infrastructure/contact-service.ts';
import { ContactService as OwnContactService } from '../../lib/infrastructure/own-app.ts';
import { type EnvironmentInput, parseEnvironment, stackName } from '../../lib/infrastructure/settings.ts';
import { SettingsError } from '../../lib/shared/settings-error.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { assemblyOf, bare, briefly, fakeBundles, full } from './synthesize.ts';

test('the construct does not depend on the feature flags of the app around it', () => {
  // These two change how a template is written, and nothing in AWS.
  const written = { '@aws-cdk/core:enablePartitionLiterals': true, '@aws-cdk/aws-iam:minimizePolicies': true };
  const targets = { '@aws-cdk/core:target-partitions': ['aws', 'aws-cn'] };
  const templateWith = (flags: Readonly<Record<string, unknown>>): unknown =>
    assemblyOf({ full }, { postCliContext: flags }).getStackByName(stackName('full')).template;
  const off = Object.fromEntries(Object.keys(featureFlags).map((flag) => [flag, false]));
  expect(templateWith({ ...off, ...targets, ...written })).toEqual(templateWith(featureFlags));
});

const bundles = fakeBundles();
const app = new App({ outdir: temporaryFolder() });
const germany = { account: '111111111111', region: 'eu-central-1' };

const add = (stack: string, env = {}, name = 'prod') =>
  new ContactService(new Stack(app, stack, { env }), 'Contact', { environment: parseEnvironment(name, bare), bundles });

test('refuses two services of one name in one account and region: their metrics would mix', () => {
  add('One', germany);
  expect(() => add('Two', germany)).toThrow(
    '"One/Contact" and "Two/Contact" are both named "prod", so their metrics would mix. Give one of them another name, or give its stack another account or region (env).',
  );
  add('Name', germany, 'staging');
  add('Region', { ...germany, region: 'us-east-1' });
  add('Account', { ...germany, account: '222222222222' });
});

test('an own app gets a line for an error in the settings', () => {
  const props = Object.assign({ ...bare, name: 'prod' }, { retainData: 'yes' });
  expect(() => new OwnContactService(new Stack(app, 'Own'), 'Contact', props)).toThrow(
    new SettingsError('Environment "prod": retainData: must be true or false'),
  );
});

/** A stack with a service that uses other resources of the stack. @param tokens made before, which change the texts of all others */
const templateOfTokens = (tokens: number): Template => {
  const props = { ...briefly, builtinCloudFormationValidation: false, outdir: temporaryFolder() };
  const stack = new Stack(new App(props), 'Own', { env: germany });
  for (let made = 0; made < tokens; made += 1) Token.asString({ Ref: 'AWS::NoValue' });
  const zone = new PublicHostedZone(stack, 'Zone', { zoneName: new CfnParameter(stack, 'ZoneName').valueAsString });
  const { certificateArn } = new Certificate(stack, 'Certificate', { domainName: 'contact.example.com' });
  const attributeOf = (id: string, type: string, name: string) =>
    new CfnResource(stack, id, { type }).getAtt(name).toString();
  const originOf = (id: string) => `https://${attributeOf(id, 'AWS::CloudFront::Distribution', 'DomainName')}`;
  const pages = originOf('Pages');
  const receiver = attributeOf('Receiver', 'AWS::ApiGatewayV2::Api', 'ApiEndpoint');
  const environment = parseEnvironment('prod', {
    ...bare,
    sites: [{ origin: pages, thankYouUrl: `${pages}/thanks`, language: 'de' }],
    inboxOrigins: [originOf('Inbox')],
    spam: { captcha: { provider: 'turnstile', secret: new Secret(stack, 'Captcha').secretName } },
    alarmEmails: [new CfnParameter(stack, 'Operator').valueAsString],
    runbookUrl: `${pages}/runbook`,
    notifications: {
      webhooks: [
        { url: `${receiver}/hook`, sites: [pages] },
        { url: `https://hooks.example.com/?from=${receiver}` },
        { format: 'slack', secret: new Secret(stack, 'Slack').secretName },
      ],
    },
    domains: [
      {
        name: 'contact.example.com',
        certificateArn,
        hostedZone: { id: zone.hostedZoneId, name: zone.zoneName },
      },
    ],
  });
  new ContactService(stack, 'Contact', { environment, bundles });
  return Template.fromStack(stack);
};

test('an own app can pass what its other constructs make, and gets the same ids with each synthesis', () => {
  const template = templateOfTokens(0);
  const text = JSON.stringify(template.toJSON());
  expect(text).not.toContain('Token[');
  expect(JSON.stringify(templateOfTokens(7).toJSON())).toBe(text);
  const attribute = (resource: string, name: string) => ({
    'Fn::GetAtt': [Match.stringLikeRegexp(`^${resource}`), name],
  });
  const pages = attribute('Pages', 'DomainName');
  template.hasResourceProperties('AWS::Route53::RecordSet', { HostedZoneId: { Ref: Match.stringLikeRegexp('^Zone') } });
  template.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: { Ref: 'Operator' } });
  template.hasResourceProperties('AWS::ApiGateway::Method', {
    Integration: {
      IntegrationResponses: [
        {
          ResponseTemplates: {
            'application/json': {
              'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('\\$origin == "https://$'), pages])],
            },
          },
        },
      ],
    },
  });
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: {
        SITES: {
          'Fn::Join': [
            '',
            ['[{"origin":"https://', pages, '","thankYouUrl":"https://', pages, '/thanks","language":"de"}]'],
          ],
        },
      },
    },
  });
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: {
        TARGETS: {
          'Fn::Join': [
            '',
            Match.arrayWith([attribute('Receiver', 'ApiEndpoint'), Match.stringLikeRegexp('^/hook","secret"')]),
          ],
        },
      },
    },
  });
});

test('says what to do with a token on which the template depends', () => {
  const text = Token.asString({ Ref: 'Name' });
  const props = {
    ...bare,
    name: 'prod',
    contactsAlarm: Token.asNumber({ Ref: 'Threshold' }),
    alarmEmails: Token.asList({ Ref: 'Operators' }),
    // If it were empty, it would be found in every text.
    spam: { words: [text] },
    domains: [{ name: `contact.${text}`, certificateArn: text }],
    // Without TLS, whatever the host will be.
    notifications: { from: `Contact <${text}>`, emails: [text], webhooks: [{ url: `http://${text}/hook` }] },
  };
  const paths = [
    ...['spam.words.0', 'alarmEmails.0', 'contactsAlarm', 'notifications.from', 'notifications.emails.0'],
    ...['notifications.webhooks.0.url', 'domains.0.name'],
  ];
  expect(() => new OwnContactService(new Stack(app, 'Early'), 'Contact', props)).toThrow(
    new SettingsError(
      paths
        .map(
          (path) =>
            `Environment "prod": ${path}: is a value that only the deployment knows (a token of the CDK), but the template depends on it: write the value itself`,
        )
        .join('\n'),
    ),
  );
});

/** The warnings that have a text. */
const warningsOf = (input: EnvironmentInput, text: string): string[] => {
  const { node } = createApp({ x: input }, bundles, { outdir: temporaryFolder() });
  const stack = v.parse(v.instance(Stack), node.findChild(stackName('x')));
  return Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp(text))
    .map(({ entry }) => String(entry.data));
};

const webhooks = (count: number): EnvironmentInput['notifications'] => ({
  webhooks: Array.from({ length: count }, (_, at) => ({ url: `https://hooks.example.com/${at}` })),
});
const slow = "for the form while the captcha's provider does not respond (throttles.public.rate × 2 seconds)";

test.each<[settings: string, input: Partial<EnvironmentInput>, warnings: string[]]>([
  ['two targets', { notifications: webhooks(2) }, []],
  [
    'three targets',
    { notifications: webhooks(3) },
    ['This environment can take 7 concurrent executions of Lambda: 7 for notifications'],
  ],
  [
    'a captcha at 20 requests a second',
    { spam: { captcha: full.spam.captcha } },
    [`This environment can take 40 concurrent executions of Lambda: 40 ${slow}`],
  ],
  [
    'a captcha at 1 request a second, with a target',
    {
      spam: { captcha: full.spam.captcha },
      notifications: webhooks(1),
      throttles: { ...bare.throttles, public: { rate: 1, burst: 1 } },
    },
    [],
  ],
  [
    'a captcha and a target',
    { spam: { captcha: full.spam.captcha }, notifications: webhooks(1) },
    [`This environment can take 43 concurrent executions of Lambda: 3 for notifications, 40 ${slow}`],
  ],
])('the warning about the concurrent executions of a new account, with %s', (_, input, warnings) => {
  const found = warningsOf({ ...bare, ...input }, 'request-service-quota-increase');
  expect(found.map((warning) => warning.split('. A new account has 10, ')[0])).toEqual(warnings);
});

const emails = { notifications: { from: 'contact@example.com', emails: ['me@example.com'], existingIdentities: true } };

test.each<[what: string, input: Partial<EnvironmentInput>, credentials: string, count: number]>([
  ['emails in such a region', { ...emails, region: 'eu-south-2' }, 'eu-central-1', 1],
  ['emails in the region of the credentials', emails, 'ap-east-1', 1],
  ['emails in another region', { ...emails, region: 'eu-south-1' }, 'ap-east-1', 0],
  ['webhooks alone', { notifications: webhooks(1), region: 'eu-south-2' }, 'eu-central-1', 0],
])('warns of a region in which CloudFormation has no SES, for %s', (_, input, credentials, count) => {
  vi.stubEnv('CDK_DEFAULT_REGION', credentials);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(warningsOf({ ...bare, ...input }, 'no resources of Amazon SES')).toHaveLength(count);
});
