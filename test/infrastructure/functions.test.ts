import { expect, test } from 'vitest';
import { endpoints } from '../../lib/infrastructure/endpoints.ts';
import {
  bare,
  full,
  functionIds,
  propertiesOfOnly,
  type Resources,
  resourcesOf,
  synthesize,
  textOf,
} from './synthesize.ts';

const template = synthesize({ bare, full });

const functionsOf = (environment: string) => resourcesOf(template(environment), 'AWS::Lambda::Function');

/** The functions of the API. */
const ofApi = (functions: Resources) => Object.entries(functions).filter(([id]) => functionIds.includes(id));

test('has a function for each endpoint, the authorizer and notifications: Node 24 on arm64, with JSON logs', () => {
  const functions = functionsOf('full');
  expect(Object.keys(functionsOf('bare'))).toEqual(functionIds);
  expect(Object.keys(functions)).toEqual([...functionIds, 'NotificationsFanOut', 'NotificationsNotify']);
  for (const [id, { Properties }] of Object.entries(functions)) {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      ...(functionIds.includes(id) && { MemorySize: 1_024 }),
      LoggingConfig: { LogFormat: 'JSON' },
    });
  }
});

test.each([
  ['bare', false, undefined],
  ['full', true, 'Active'],
])('X-Ray is off unless the settings have tracing: %s', (environment, stage, mode) => {
  expect(propertiesOfOnly(template(environment), 'AWS::ApiGateway::Stage')['TracingEnabled']).toBe(stage);
  for (const [, { Properties }] of ofApi(functionsOf(environment))) {
    expect(Properties.TracingConfig?.Mode).toBe(mode);
  }
});

test('no function has a longer timeout than the gateway: 29 seconds, 10 for the authorizer', () => {
  for (const [id, { Properties }] of ofApi(functionsOf('full'))) {
    expect(Properties.Timeout, id).toBeLessThanOrEqual(id === 'Authorizer' ? 10 : 29);
  }
});

test('each function has its own log group, kept for logRetentionDays', () => {
  const logGroups = resourcesOf(template('full'), 'AWS::Logs::LogGroup');
  for (const [id, { Properties }] of Object.entries(functionsOf('full'))) {
    expect(textOf(Properties.LoggingConfig.LogGroup)).toBe(`${id}Logs`);
    expect(logGroups[`${id}Logs`]).toMatchObject({ Properties: { RetentionInDays: full.logRetentionDays } });
  }
});

test('with retainData, only the logs that say who read contact requests outlive the stack', () => {
  const policies = (environment: string, wanted: string) =>
    Object.entries(resourcesOf(template(environment), 'AWS::Logs::LogGroup'))
      .filter(([, { DeletionPolicy }]) => DeletionPolicy === wanted)
      .map(([id]) => id);
  expect(policies('full', 'RetainExceptOnCreate').toSorted()).toEqual(
    ['ApiAccessLog', 'DeleteContactLogs', 'GetContactLogs', 'ListContactsLogs'].toSorted(),
  );
  expect(policies('full', 'Retain')).toEqual([]);
  expect(policies('bare', 'Delete')).toHaveLength(Object.keys(functionsOf('bare')).length + 1);
});

test('the function that stores contact requests gets the settings', () => {
  expect(functionsOf('full')['CreateContact']?.['Properties'].Environment.Variables).toEqual({
    CONTACTS_TABLE: { Ref: 'TablesContactsF93627A8' },
    ENVIRONMENT: 'full',
    SITES: JSON.stringify([
      { origin: 'https://www.example.com', thankYouUrl: 'https://www.example.com/thank-you', language: 'en' },
      { origin: 'https://shop.example.com', language: 'de' },
    ]),
    SPAM_TRAPS: '["fax","website"]',
    COUNTS_RECEIVED: 'true',
    EXTRA_FIELDS: 'ignore',
    RETENTION_DAYS: '365',
  });
});

test('the authorizer gets the endpoints of each permission: no public endpoint, `*` for a parameter', () => {
  const grants = JSON.parse(functionsOf('full')['Authorizer']?.['Properties'].Environment.Variables.GRANTS);
  expect(grants).toEqual(
    expect.arrayContaining([
      { permission: 'contacts:read', resource: 'GET/api/v1/contact' },
      { permission: 'contacts:read', resource: 'GET/api/v1/contact/*' },
      { permission: 'contacts:delete', resource: 'DELETE/api/v1/contact/*' },
      { permission: 'campaigns:read', resource: 'GET/v1/campaigns' },
      { permission: 'campaigns:read', resource: 'GET/v1/campaigns/*' },
    ]),
  );
  expect(JSON.stringify(grants)).not.toContain('POST/api/v1/contact');
});

test('no permission opens an endpoint of another permission', () => {
  const grants: { permission: string; resource: string }[] = JSON.parse(
    functionsOf('full')['Authorizer']?.['Properties'].Environment.Variables.GRANTS,
  );
  for (const { permission, resource } of grants) {
    const opens = new RegExp(`^${resource.replaceAll('*', '.*')}$`);
    const opened = endpoints.filter(({ method, path }) => opens.test(`${method}${path}`));
    expect(opened.map((endpoint) => endpoint.permission)).toEqual(opened.map(() => permission));
  }
});
