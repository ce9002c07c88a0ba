import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { kindOfTarget } from '../../lib/infrastructure/notification-targets.ts';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { bare, propertiesOfOnly, type Resources, resourcesOf, stacksOf, synthesize, textOf } from './synthesize.ts';

const notifying = (notifications: EnvironmentInput['notifications']) => ({ ...bare, notifications });

const from = 'contact@example.com';
const mail = 'a@example.com';
const otherMail = 'b@example.com';
const hook = { url: 'https://hooks.example.com/contact' };
const slack = { format: 'slack', secret: 'slack-url' } as const;

const four = { from, emails: [mail, otherMail], webhooks: [hook, slack] };

const environments = {
  bare,
  four: notifying(four),
  reordered: notifying({ from, emails: [{ to: otherMail, forms: ['sales'] }, mail], webhooks: [slack, hook] }),
  conditions: {
    ...notifying({
      from,
      emails: [
        { to: mail, otherwise: true },
        { to: otherMail, forms: ['sales', 'jobs'], where: { topic: 'Sales', company: ['ACME', 'Acme Ltd'] } },
      ],
      webhooks: [
        { ...hook, forms: ['jobs'], sites: ['https://www.example.com'] },
        { ...slack, sites: ['https://www.example.com'] },
      ],
    }),
    forms: { sales: { subject: 'An order' }, jobs: {} },
    inboxOrigins: ['https://inbox.example.com', 'https://replies.example.com'],
  },
  sites: {
    ...notifying({ webhooks: [{ ...hook, sites: ['https://www.example.de'] }] }),
    sites: [...bare.sites, { origin: 'https://www.example.de', language: 'de' }],
  },
  site: { ...notifying({ webhooks: [hook] }), sites: [{ origin: 'https://www.example.de', language: 'de' }] },
  fewer: notifying({ from, emails: [otherMail], webhooks: [hook] }),
  paused: notifying({ ...four, paused: true }),
  spam: notifying({ from, emails: [mail, { to: otherMail, spam: true }], webhooks: [hook] }),
  itself: notifying({ from, emails: [from] }),
  webhooks: notifying({ webhooks: [hook, slack] }),
  named: notifying({ from: `Büro für Grüße, Köln, Zürich und Umgebung <${from}>`, emails: [mail] }),
  known: notifying({ from: 'contact@forms.example.com', emails: [mail], existingIdentities: true }),
};

const template = synthesize(environments);

const all = (environment: string, type: string) => resourcesOf(template(environment), `AWS::${type}`);

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const mailName = `Email${digest(mail)}`;
const otherMailName = `Email${digest(otherMail)}`;
const hookName = `Webhook${digest(hook.url)}`;
const slackName = `Slack${digest(slack.secret)}`;
const names = [mailName, otherMailName, hookName, slackName];

const mapping = (environment: string, id: string): Resources[string] =>
  all(environment, 'Lambda::EventSourceMapping')[`Notifications${id}`]?.['Properties'] ?? expect.fail(`No ${id}`);

const variablesOf = (environment: string, id: string) =>
  all(environment, 'Lambda::Function')[`Notifications${id}`]?.['Properties'].Environment.Variables;

test('without targets, an environment has no queue and no stream', () => {
  expect(all('bare', 'SQS::Queue')).toEqual({});
  const streams = Object.values(all('bare', 'DynamoDB::GlobalTable')).filter(
    ({ Properties }) => Properties.StreamSpecification,
  );
  expect(streams).toEqual([]);
});

test('fan-out reads the stream from its beginning, retries for 20 hours, and then sends failures to a queue', () => {
  const { EventSourceArn, FunctionName, DestinationConfig, ...others } = mapping('four', 'Stream');
  expect(textOf(EventSourceArn)).toBe('TablesContacts.StreamArn');
  expect(textOf(FunctionName)).toBe('NotificationsFanOut');
  expect(textOf(DestinationConfig.OnFailure.Destination)).toBe('NotificationsFanOutFailures.Arn');
  expect(others).toMatchObject({
    Enabled: true,
    StartingPosition: 'TRIM_HORIZON',
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    // After 24 hours the stream would drop the record, and the queue would get nothing.
    MaximumRecordAgeInSeconds: 20 * 60 * 60,
    MaximumRetryAttempts: -1,
  });
});

test.each([
  ['four', 'no spam', ['inbox']],
  ['spam', 'spam, because a target wants it', ['inbox', 'spam']],
])('%s: fan-out gets new and released contact requests, and %s', (environment, _, partitions) => {
  const [{ Pattern }, ...others] = mapping(environment, 'Stream')['FilterCriteria'].Filters;
  expect(others).toEqual([]);
  expect(JSON.parse(Pattern)).toEqual({
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { NewImage: { listPartition: { S: partitions } } },
  });
});

test('fan-out and notify know which target gets spam', () => {
  const queues = JSON.parse(textOf(variablesOf('spam', 'FanOut').QUEUES));
  expect(Object.keys(queues).filter((name) => queues[name].spam === true)).toEqual([otherMailName]);
  expect(JSON.parse(textOf(variablesOf('spam', 'Notify').SPAM_TARGETS))).toEqual([otherMailName]);
});

test('functions with mappings wait for their policies, or CloudFormation could not create the mappings', () => {
  const dependencies = Object.entries(template('four').findResources('AWS::Lambda::Function'))
    .filter(([id]) => id.startsWith('Notifications'))
    .map(([, { DependsOn }]) => DependsOn);
  const policy = expect.stringMatching(/^Notifications\w+RoleDefaultPolicy/);
  expect(dependencies).toEqual([expect.arrayContaining([policy]), expect.arrayContaining([policy])]);
});

test('paused disables the mapping of the stream and removes its alarm', () => {
  // Other ids contain the name of the environment.
  const idsOf = (environment: string) =>
    Object.keys(template(environment).toJSON()['Resources']).filter((id) => /^(Notifications|Alarms)/.test(id));
  const missing = idsOf('four').filter((id) => !idsOf('paused').includes(id));
  expect(missing).toEqual([expect.stringMatching(/^Alarmsfanoutidle/)]);
  expect(mapping('paused', 'Stream')).toEqual({ ...mapping('four', 'Stream'), Enabled: false });
  const { Settings } = template('paused').findOutputs('Settings');
  expect(JSON.parse(Settings?.['Value'])).toMatchObject({ notificationsPaused: true });
});

test.each(names)('the queue of %s retries for a day, then dead-letters', (name) => {
  const queue = all('four', 'SQS::Queue')[`Notifications${name}Queue`]?.['Properties'];
  expect(queue?.VisibilityTimeout * queue?.RedrivePolicy.maxReceiveCount).toBe(24 * 60 * 60);
  expect(textOf(queue?.RedrivePolicy.deadLetterTargetArn)).toBe('NotificationsDeadLetters.Arn');
  const { EventSourceArn, FunctionName, ...others } = mapping('four', `${name}Messages`);
  expect([EventSourceArn, FunctionName].map(textOf)).toEqual([`Notifications${name}Queue.Arn`, 'NotificationsNotify']);
  expect(others).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] });
});

test('every queue keeps messages for two weeks, encrypted', () => {
  const kept = { MessageRetentionPeriod: 14 * 24 * 60 * 60, SqsManagedSseEnabled: true };
  for (const { Properties } of Object.values(all('four', 'SQS::Queue'))) expect(Properties).toMatchObject(kept);
});

test('a webhook has its own secret: 44 letters and digits, which are 33 bytes in base64', () => {
  const secrets = Object.entries(all('four', 'SecretsManager::Secret')).map(([id, { Properties }]) => [
    id,
    Properties.GenerateSecretString,
  ]);
  expect(secrets).toEqual([[`Notifications${hookName}Secret`, { PasswordLength: 44, ExcludePunctuation: true }]]);
});

test.each([
  ['four', [from, mail, otherMail]],
  ['itself', [from]],
  ['known', []],
  ['webhooks', []],
  ['named', [from, mail]],
])('%s: SES verifies the identities %j', (environment, identities) => {
  const created = Object.values(all(environment, 'SES::EmailIdentity'));
  expect(created.map(({ Properties }) => Properties.EmailIdentity)).toEqual(identities);
});

test('notify gets the sender with its name encoded, and may send from the bare address only', () => {
  const { Environment } = all('named', 'Lambda::Function')['NotificationsNotify']?.['Properties'] ?? expect.fail();
  // An encoded word has at most 75 characters: https://www.rfc-editor.org/rfc/rfc2047#section-2
  expect(Environment.Variables.MAIL_FROM).toMatch(/^(=\?utf-8\?B\?[\w+/=]{1,63}\?= ){2}<contact@example\.com>$/);
  expect(JSON.stringify(all('named', 'IAM::Policy'))).toContain(`"ses:FromAddress":"${from}"`);
});

test('a configuration set publishes bounces and complaints to CloudWatch, without addresses', () => {
  const { ConfigurationSetName, EventDestination } = propertiesOfOnly(
    template('four'),
    'AWS::SES::ConfigurationSetEventDestination',
  );
  expect(textOf(ConfigurationSetName)).toBe('NotificationsMailConfigurationSet');
  expect(EventDestination).toEqual({
    Enabled: true,
    MatchingEventTypes: ['bounce', 'complaint'],
    CloudWatchDestination: {
      DimensionConfigurations: [
        { DimensionName: 'Environment', DimensionValueSource: 'messageTag', DefaultDimensionValue: 'four' },
      ],
    },
  });
  expect(all('webhooks', 'SES::ConfigurationSet')).toEqual({});
});

test('fan-out gets the conditions of the targets, and notify the subjects of the forms and the first origin of the inbox', () => {
  const queue = (name: string) => ({ url: `Notifications${name}Queue` });
  // Of an environment with one site, a contact request without one counts as from there.
  const sites = ['https://www.example.com', ''];
  expect(JSON.parse(textOf(variablesOf('conditions', 'FanOut').QUEUES))).toEqual({
    [mailName]: { ...queue(mailName), otherwise: true },
    [otherMailName]: {
      ...queue(otherMailName),
      forms: ['sales', 'jobs'],
      where: { topic: ['Sales'], company: ['ACME', 'Acme Ltd'] },
    },
    [hookName]: { ...queue(hookName), forms: ['jobs'], sites },
    [slackName]: { ...queue(slackName), sites },
  });
  expect(JSON.parse(textOf(variablesOf('conditions', 'Notify').SUBJECTS))).toEqual([['sales', 'An order']]);
  expect(textOf(variablesOf('conditions', 'Notify').INBOX_ORIGIN)).toBe('https://inbox.example.com');
});

test('a contact request without a site has conditions and the language of the only one, if there is only one', () => {
  const language = (origin: string) => [origin, 'de'];
  const languagesIn = (environment: string) => JSON.parse(textOf(variablesOf(environment, 'Notify').SITE_LANGUAGES));
  const sites = ['https://www.example.de'];
  expect(JSON.parse(textOf(variablesOf('sites', 'FanOut').QUEUES))).toMatchObject({ [hookName]: { sites } });
  expect(languagesIn('sites')).toEqual(sites.map(language));
  expect(languagesIn('site')).toEqual([...sites, ''].map(language));
});

test('synthesis warns of what no target gets', () => {
  const warnings = Object.values(stacksOf(environments)('sites').metadata)
    .flat()
    .flatMap(({ data }) => /^.* \[ack: contact-service:conditions\]$/.exec(String(data)) ?? []);
  expect(warnings).toEqual([expect.stringMatching(/^Nobody is notified of /)]);
});

test('too many targets and conditions for the variables of fan-out are an error that says what to shorten', () => {
  const topics = Array.from({ length: 400 }, (_, at) => `Topic ${at}`);
  const emails = [mail, { to: otherMail, where: { topic: topics } }];
  expect(() => synthesize({ prod: notifying({ from, emails }) })('prod')).toThrow(
    /^ContactService-prod: the variables of the function fan-out have [\d,]+ bytes, but Lambda accepts at most 4,096 \([A-Z_]+ has /,
  );
});

test('reordering targets, or changing their conditions, keeps their queues and secrets; removing one removes only its own', () => {
  const queuesOf = (environment: string) =>
    ['SQS::Queue', 'SecretsManager::Secret'].flatMap((type) =>
      Object.keys(template(environment).findResources(`AWS::${type}`)).toSorted(),
    );
  expect(queuesOf('reordered')).toEqual(queuesOf('four'));
  const ofOthers = (id: string) => !id.includes(mailName) && !id.includes(slackName);
  expect(queuesOf('fewer')).toEqual(queuesOf('four').filter(ofOthers));
});

test('outputs describe the targets to the staff command, without their conditions', () => {
  const outputs = template('conditions').findOutputs('*');
  const said = (id: string) => textOf(outputs[id]?.['Value']);
  const target = (name: string, kind: string, address: string) => ({
    name,
    kind,
    address,
    queue: `Notifications${name}Queue`,
  });
  expect(names.map((name) => JSON.parse(said(`Notify${name}`)))).toEqual([
    target(mailName, 'email', mail),
    target(otherMailName, 'email', otherMail),
    { ...target(hookName, 'webhook', hook.url), secret: `Notifications${hookName}Secret` },
    target(slackName, 'slack', 'secret slack-url'),
  ]);
  expect(['NotifyFunction', 'DeadLetters', 'FanOutFailures', 'FanOutFunction'].map(said)).toEqual([
    'NotificationsNotify',
    'NotificationsDeadLetters',
    'NotificationsFanOutFailures',
    'NotificationsFanOut',
  ]);
});

test.each([
  ['https://crm.example.com/', 'https://crm.example.com'],
  ['https://crm.example.com:8443/api/v1/contact-requests', 'https://crm.example.com:8443/api/v1/contact-requests'],
  ['https://crm.example.com/hooks/contact?key=4711', 'https://crm.example.com/hooks/contact?…'],
  ['https://hooks.zapier.com/hooks/catch/12345/abcde/', 'https://hooks.zapier.com/hooks/catch/…'],
])('outputs, which a deployment prints, show only words of the URL %s', (url, shown) => {
  expect(kindOfTarget('webhook').safeAddress(url)).toBe(shown);
});
