import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_RETRY_DELAY_BASE } from '@smithy/core/retry';
import { expect, test } from 'vitest';
import { createContactSettings } from '../../functions/forms/create-settings.ts';
import { inboxSettings } from '../../functions/http/cors.ts';
import { fanOutSettings, notifySettings } from '../../functions/notify/notify-settings.ts';
import { timeoutReserve } from '../../functions/shared/availability.ts';
import { attemptTimeout, maxAttempts } from '../../functions/shared/dynamodb.ts';
import { readVariables } from '../../functions/shared/variables.ts';
import { captchaSettings, checkTimeout } from '../../functions/spam/captcha.ts';
import { authorizerSettings } from '../../functions/tokens/authorizer-settings.ts';
import { endpoints } from '../../lib/infrastructure/endpoints.ts';
import { formSettings, settingNames } from '../../lib/infrastructure/settings.ts';
import { bare, full, resourcesOf, stacksOf, synthesize, textOf } from './synthesize.ts';

const template = synthesize({ bare, full });
const stackOf = stacksOf({ bare, full });

const functionsOf = (environment: string) => resourcesOf(template(environment), 'AWS::Lambda::Function');

const variablesOf = (environment: string, id: string) =>
  functionsOf(environment)[id]?.['Properties'].Environment.Variables;

test('each function has its own log group of JSON lines, kept for logRetentionDays', () => {
  const logGroups = resourcesOf(template('full'), 'AWS::Logs::LogGroup');
  for (const [id, { Properties }] of Object.entries(functionsOf('full'))) {
    const { LogFormat, LogGroup } = Properties.LoggingConfig;
    expect([LogFormat, textOf(LogGroup)]).toEqual(['JSON', `${id}Logs`]);
    expect(logGroups[`${id}Logs`]).toMatchObject({ Properties: { RetentionInDays: full.logRetentionDays } });
  }
});

test('with retainData, only the logs that say who read contact requests outlive the stack', () => {
  const keptBy = (environment: string) =>
    Object.entries(resourcesOf(template(environment), 'AWS::Logs::LogGroup'))
      .filter(([, { DeletionPolicy }]) => DeletionPolicy !== 'Delete')
      .map(([id, { DeletionPolicy }]) => `${id} ${DeletionPolicy}`);
  const ofReaders = endpoints.flatMap(({ id, permission = '' }) =>
    permission.startsWith('contacts:') ? `${id}Logs` : [],
  );
  expect(keptBy('full').toSorted()).toEqual(
    ['ApiAccessLog', ...ofReaders].map((id) => `${id} RetainExceptOnCreate`).toSorted(),
  );
  expect(keptBy('bare')).toEqual([]);
});

test('the function that stores contact requests gets the settings', () => {
  expect(variablesOf('full', 'CreateContact')).toMatchObject({
    SITES: JSON.stringify([
      { origin: 'https://www.example.com', thankYouUrl: 'https://www.example.com/thank-you', language: 'en' },
      { origin: 'https://shop.example.com', language: 'de' },
    ]),
    FORMS:
      '[["sales",{"required":["email|phone","topic"],"thankYouUrl":"https://www.example.com/sold","retentionDays":3650,"confirmation":true,"files":{"max":3,"types":["pdf","jpeg"]}}],["support",{"confirmation":false}]]',
    SPAM: '{"traps":["fax","website"],"requireTrap":true,"proofBits":20,"content":{"senders":["@example.net","bad@example.org"],"links":3,"words":["casino","make money"]}}',
    CAPTCHA: '{"provider":"turnstile","secret":"captcha-key"}',
    COUNTS_RECEIVED: 'true',
    EXTRA_FIELDS: 'ignore',
    REQUIRED: '["message"]',
    RETENTION_DAYS: '365',
    CONFIRMATION: 'true',
    FILES: '{"dailyBytes":500000000,"caughtDailyBytes":50000000}',
  });
});

test('the function that stores contact requests reads the settings about them, and npm start uses no others', () => {
  const read = Object.keys(createContactSettings.entries).filter((name) => settingNames.includes(name));
  expect(read.toSorted()).toEqual(Object.keys(formSettings).toSorted());
});

const environment = { ENVIRONMENT: 'prod' };

// A deployment changes a function's code before its variables, so the new code meets the old variables. What 4.0.0 did not always
// set must be optional, also inside sites, forms, spam and targets.
test.each([
  [
    'create-contact',
    () =>
      readVariables(createContactSettings, {
        ...environment,
        SITES: '[{"origin":"https://www.example.com","language":"en"}]',
        FORMS: '[["sales",{}]]',
        SPAM: '{"traps":[],"requireTrap":false}',
        EXTRA_FIELDS: 'keep',
      }),
  ],
  [
    'create-contact-with-captcha',
    () => readVariables(captchaSettings, { CAPTCHA: '{"provider":"turnstile","secret":"captcha-key"}' }),
  ],
  ['the functions for staff', () => readVariables(inboxSettings, {})],
  [
    'authorizer',
    () =>
      readVariables(authorizerSettings, {
        ...environment,
        GRANTS: '[{"permission":"contacts:read","resource":"GET/api/v1/contact"}]',
      }),
  ],
  [
    'fan-out',
    () =>
      readVariables(fanOutSettings, {
        ...environment,
        QUEUES: '{"Email1bc5b2df":{"url":"https://sqs.eu-central-1.amazonaws.com/123456789012/Queue"}}',
      }),
  ],
  [
    'notify',
    () =>
      readVariables(notifySettings, {
        ...environment,
        TARGETS: JSON.stringify({
          Email1bc5b2df: { kind: 'email', to: 'sales@example.com' },
          Webhook9671f1af: { kind: 'webhook', url: 'https://hooks.example.com/contact', secret: 'arn:aws:secret' },
          Slack33161701: { kind: 'slack', secret: 'slack-url' },
        }),
      }),
  ],
])('the code of %s starts with the variables that 4.0.0 set', (_, start) => {
  expect(start).not.toThrow();
});

/** Milliseconds between the attempts of a call, at most: 100, then 200. */
const pauses = DEFAULT_RETRY_DELAY_BASE * (2 ** (maxAttempts - 1) - 1);

test.each([
  // A call of the store for each action: a list that needs more stops when the time is over.
  ...endpoints.map(({ id, actions, withSecret }) => [id, actions.length, withSecret ? checkTimeout : 0] as const),
  ['Authorizer', 1, 0] as const,
])('%s can respond before its timeout even if the last of the attempts at each call succeeds', (id, calls, others) => {
  const needed = calls * (maxAttempts * attemptTimeout + pauses) + others + timeoutReserve;
  expect(needed).toBeLessThan(functionsOf('full')[id]?.['Properties'].Timeout * 1000);
});

test('only with inboxOrigins, the functions for staff get them', () => {
  const idsWith = (environment: string, value: string) =>
    Object.keys(functionsOf(environment)).filter((id) => variablesOf(environment, id).INBOX_ORIGINS === value);
  const forStaff = endpoints.filter(({ permission }) => permission).map(({ id }) => id);
  expect(idsWith('full', JSON.stringify(full.inboxOrigins)).toSorted()).toEqual(forStaff.toSorted());
  expect(JSON.stringify(template('bare'))).not.toContain('INBOX_ORIGINS');
});

test.each([
  ['bare', 'create-contact'],
  ['full', 'create-contact-with-captcha'],
])('the environment %s gets the function %s, because only one of them has a captcha', (environment, handler) => {
  const asset = functionsOf(environment)['CreateContact']?.['Properties'].Code.S3Key.replace('.zip', '');
  const folder = join(stackOf(environment).assembly.directory, `asset.${asset}`);
  expect(readFileSync(join(folder, 'index.mjs'), 'utf8')).toContain(`'${handler}'`);
});

test('the function accepts an environment without traps', () => {
  const trapless = synthesize({ x: { ...bare, spam: { traps: [] } } })('x');
  const { Environment } = resourcesOf(trapless, 'AWS::Lambda::Function')['CreateContact']?.['Properties'] ?? {};
  expect(readVariables(createContactSettings, Environment.Variables).spam).toMatchObject({ traps: [] });
});

test('a proof of work needs 17 bits by default', () => {
  const proofing = synthesize({ x: { ...bare, spam: { proofOfWork: 'mark' } } })('x');
  const { Environment } = resourcesOf(proofing, 'AWS::Lambda::Function')['CreateContact']?.['Properties'] ?? {};
  expect(JSON.parse(Environment.Variables.SPAM)).toMatchObject({ proofBits: 17 });
  expect(JSON.parse(variablesOf('bare', 'CreateContact').SPAM)).not.toHaveProperty('proofBits');
});

test('no permission opens an endpoint of another permission: `*` matches slashes', () => {
  const grants: { permission: string; resource: string }[] = JSON.parse(variablesOf('full', 'Authorizer').GRANTS);
  for (const { permission, resource } of grants) {
    const opens = new RegExp(`^${resource.replaceAll('*', '.*')}$`);
    const opened = endpoints.filter(({ method, path }) => opens.test(`${method}${path}`));
    expect(opened.map((endpoint) => endpoint.permission)).toEqual(opened.map(() => permission));
  }
});

test('accepts variables of 4,096 bytes, whatever name AWS makes up for the table, and says what to shorten', () => {
  const create = (length: number) => () =>
    synthesize({
      prod: { ...bare, sites: [{ origin: 'https://a.test', thankYouUrl: `https://a.test/${'x'.repeat(length)}` }] },
    })('prod');
  const { CreateContact } = resourcesOf(create(0)(), 'AWS::Lambda::Function');
  const named = JSON.stringify(CreateContact?.['Properties'].Environment.Variables, (_, value: unknown) =>
    // CloudFormation makes up shorter names.
    typeof value === 'object' && value !== null && 'Ref' in value ? 'x'.repeat(160) : value,
  );
  const left = 4_096 - Buffer.byteLength(named);
  expect(create(left)).not.toThrow();
  expect(create(left + 1)).toThrow(
    /^ContactService-prod: the variables of the function create-contact have 4,097 bytes, but Lambda accepts at most 4,096 \(SITES has 3,\d{3}, [A-Z_]+ has \d+\): shorten these settings, or move some to another environment$/,
  );
});

test('200 words of usual length fit into the variables, and 200 long ones are refused with what to shorten', () => {
  const withWords = (letters: number) => () =>
    synthesize({
      prod: { ...bare, spam: { words: Array.from({ length: 200 }, (_, at) => String(at).padEnd(letters, 'x')) } },
    })('prod');
  expect(withWords(12)).not.toThrow();
  expect(withWords(20)).toThrow(
    / create-contact have \d,\d{3} bytes, .* \(SPAM has \d,\d{3}, [A-Z_]+ has \d+\): shorten /,
  );
});
