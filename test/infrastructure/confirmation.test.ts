import { expect, test } from 'vitest';
import { confirmedSites } from '../../functions/notify/confirm-settings.ts';
import { bare, full, propertiesOfOnly, resourcesOf, synthesize, textOf } from './synthesize.ts';

const asking = {
  ...bare,
  spam: { proofOfWork: 'mark' as const },
  notifications: { from: 'Shop <contact@forms.example.com>', webhooks: [{ url: 'https://hooks.example.com/contact' }] },
};

const german = [{ origin: 'https://www.example.de', language: 'de' }];

const environments = {
  bare,
  full,
  plain: { ...asking, confirmation: true },
  german: { ...asking, sites: german, forms: { order: { confirmation: { text: 'Thank you. {site}' } } } },
  off: { ...asking, forms: { order: { confirmation: false } } },
};

const template = synthesize(environments);

const all = (environment: keyof typeof environments, type: string) =>
  resourcesOf(template(environment), `AWS::${type}`);

const variablesOf = (environment: keyof typeof environments) =>
  all(environment, 'Lambda::Function')['NotificationsConfirmationConfirm']?.['Properties'].Environment.Variables;

test.each(['bare', 'off'] as const)('%s has nothing of confirmations', (environment) => {
  expect(JSON.stringify(template(environment).toJSON())).not.toContain('Confirm');
});

test('each language of the sites has a template, and one more for each form with words of its own', () => {
  const texts = Object.values(all('full', 'SES::Template')).map(({ Properties }) => Properties.Template);
  const parts = texts.map(({ SubjectPart, TextPart }) => [SubjectPart, TextPart]);
  expect(parts).toEqual(
    expect.arrayContaining([
      [expect.any(String), 'We will write soon. {{time}}'],
      ['Your order at {{site}}', 'Thank you.'],
      ['Your order at {{site}}', 'Danke. {{reference}}'],
    ]),
  );
  const { TEMPLATES, SITES, WITHOUT_SITE, PER_HOUR, REPLY_TO, OWN_ADDRESSES } = variablesOf('full');
  expect(JSON.parse(TEMPLATES).map(([key]: [string]) => key)).toEqual(['en', 'en sales', 'de', 'de sales']);
  expect(JSON.parse(SITES)).toEqual([
    ['https://www.example.com', 'en'],
    ['https://shop.example.com', 'de'],
  ]);
  expect(WITHOUT_SITE).toBe('example.com');
  expect([PER_HOUR, REPLY_TO, OWN_ADDRESSES]).toEqual([
    '10',
    'office@example.com',
    '["contact@example.com","sales@example.com","office@example.com"]',
  ]);
});

test('a deployment makes one template after the other, as slowly as SES does', () => {
  const templates = Object.entries(all('full', 'SES::Template'));
  const waiting = templates.map(([, { DependsOn = [] }]) => [DependsOn].flat());
  expect(waiting.filter((others) => others.length === 0)).toHaveLength(1);
  expect(new Set(waiting.flat()).size).toBe(templates.length - 1);
});

test('without a site, a contact request is of the only one', () => {
  const { SITES, WITHOUT_SITE } = variablesOf('german');
  const sites = confirmedSites({ sites: JSON.parse(SITES), withoutSite: WITHOUT_SITE });
  expect(sites.get('')).toEqual(sites.get('https://www.example.de'));
  expect(sites.get('')).toMatchObject({ name: 'www.example.de', language: 'de' });
});

test('a template is named by its words, so that a deployment makes the new one before the function asks for it', () => {
  const names = (environment: 'plain' | 'german') => JSON.parse(variablesOf(environment).TEMPLATES);
  expect(names('plain')).toEqual([['en', expect.stringMatching(/^plain-[0-9a-f]{8}$/)]]);
  expect(new Set(names('german').map(([, name]: [string, string]) => name)).size).toBe(2);
});

test('the sender is an identity, also without an address that is notified', () => {
  expect(Object.values(all('plain', 'SES::EmailIdentity')).map(({ Properties }) => Properties.EmailIdentity)).toEqual([
    'contact@forms.example.com',
  ]);
});

test('no deployment turns on what an alarm has turned off', () => {
  const sets = Object.values(all('full', 'SES::ConfigurationSet'));
  expect(sets).toHaveLength(2);
  expect(JSON.stringify(sets)).not.toContain('SendingEnabled');
});

test('two alarms stop confirmations by a function that does nothing else, and only they may call it', () => {
  const stopping = Object.entries(all('full', 'CloudWatch::Alarm')).filter(([, { Properties }]) =>
    Properties.AlarmActions.map(textOf).includes('NotificationsConfirmationStop.Arn'),
  );
  const ids = stopping.map(([id]) => id);
  expect(ids.map((id) => id.replace(/^Alarms/, ''))).toEqual(['confirmationbounces', 'confirmationcomplaints']);
  const callers = Object.entries(all('full', 'Lambda::Permission')).flatMap(([id, { Properties }]) =>
    id.startsWith('NotificationsConfirmationStop') ? [[Properties.Principal, textOf(Properties.SourceArn)]] : [],
  );
  expect(callers).toEqual(ids.map((id) => ['lambda.alarms.cloudwatch.amazonaws.com', `${id}.Arn`]));
});

test('hashes expire, and their table goes with the stack', () => {
  const table = all('full', 'DynamoDB::GlobalTable')['NotificationsConfirmationTable'];
  expect(table).toMatchObject({
    DeletionPolicy: 'Delete',
    Properties: { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } },
  });
});

test('a confirmation is tried for a quarter of an hour', () => {
  const { RedrivePolicy, VisibilityTimeout } =
    all('plain', 'SQS::Queue')['NotificationsConfirmationQueue']?.['Properties'] ?? expect.fail('No queue');
  expect(RedrivePolicy.maxReceiveCount * VisibilityTimeout).toBe(15 * 60);
  expect(propertiesOfOnly(template('plain'), 'AWS::SES::Template')['Template'].SubjectPart).toEqual(expect.any(String));
});

test('an environment with many sites can have confirmations', () => {
  const sites = Array.from({ length: 40 }, (_, at) => ({
    origin: `https://www.shop-${at}.example.com`,
    language: 'de',
  }));
  expect(() => synthesize({ many: { ...asking, sites, confirmation: true } })('many')).not.toThrow();
});
