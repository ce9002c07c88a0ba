import * as v from 'valibot';
import { expect, test } from 'vitest';
import { bare, byEndpoint, full, resourcesOf, synthesize, targetsOfFull, textOf } from './synthesize.ts';

const template = synthesize({ bare, full });

const oneOrMore = <Item extends v.GenericSchema>(item: Item) =>
  v.union([
    v.array(item),
    v.pipe(
      item,
      v.transform((one) => [one]),
    ),
  ]);

const policyDocument = v.object({
  Statement: v.array(
    v.strictObject({
      Effect: v.literal('Allow'),
      Action: oneOrMore(v.string()),
      Resource: oneOrMore(v.pipe(v.unknown(), v.transform(textOf))),
      Condition: v.optional(v.object({ StringEquals: v.unknown(), 'ForAllValues:StringEquals': v.unknown() })),
    }),
  ),
});

/** The permissions of each role: `<action> on <resource>`. */
const permissionsOf = (environment: string) => {
  const permissions: Record<string, string[]> = {};
  const add = (role: string, document: unknown) => {
    const granted = v
      .parse(policyDocument, document)
      .Statement.flatMap(({ Action, Resource }) =>
        Action.flatMap((action) => Resource.map((resource) => `${action} on ${resource}`)),
      );
    permissions[role] = [...(permissions[role] ?? []), ...granted].toSorted();
  };
  for (const [id, { Properties }] of Object.entries(resourcesOf(template(environment), 'AWS::IAM::Role'))) {
    permissions[id] = (Properties.ManagedPolicyArns ?? []).map(textOf);
    for (const { PolicyDocument } of Properties.Policies ?? []) add(id, PolicyDocument);
  }
  for (const { Properties } of Object.values(resourcesOf(template(environment), 'AWS::IAM::Policy'))) {
    for (const role of Properties.Roles) add(textOf(role), Properties.PolicyDocument);
  }
  return permissions;
};

/** The permissions of each function on its table. */
const matrix = {
  ...byEndpoint(({ table, actions, index }) => {
    const arn = `${table === 'contacts' ? 'TablesContacts' : 'TablesCampaigns'}.Arn`;
    return actions.map((action) => `dynamodb:${action} on ${index ? `${arn}/index/${index}` : arn}`).toSorted();
  }),
  Authorizer: ['dynamodb:GetItem on TablesTokens.Arn'],
};

test('each endpoint has single actions on one table', () => {
  expect(matrix).toMatchObject({
    CreateContact: ['dynamodb:PutItem on TablesContacts.Arn'],
    ListContacts: ['dynamodb:Query on TablesContacts.Arn/index/list'],
    GetContact: ['dynamodb:GetItem on TablesContacts.Arn'],
    DeleteContact: ['dynamodb:DeleteItem on TablesContacts.Arn', 'dynamodb:GetItem on TablesContacts.Arn'],
    ListCampaigns: ['dynamodb:Query on TablesCampaigns.Arn/index/list'],
    GetCampaign: ['dynamodb:GetItem on TablesCampaigns.Arn'],
  });
});

/** The permissions that every function has. */
const toLog = (id: string) => [`logs:CreateLogStream on ${id}Logs.Arn`, `logs:PutLogEvents on ${id}Logs.Arn`];

/** X-Ray knows no resources. */
const toTrace = ['xray:PutTelemetryRecords on *', 'xray:PutTraceSegments on *'];

const ofFunctions = (...others: string[]) =>
  Object.fromEntries(
    Object.entries(matrix).map(([name, ofTable]) => [`${name}Role`, [...ofTable, ...toLog(name), ...others]]),
  );

const ofGateway = {
  ApiRestApiCloudWatchRole: ['arn:AWS::Partition:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
};

const [, hookTarget] = targetsOfFull;

const ses = (resource: string) => `ses:SendEmail on arn:aws:ses:eu-central-1:123456789012:${resource}`;

test('roles have exactly these permissions', () => {
  expect(permissionsOf('bare')).toEqual({ ...ofFunctions(), ...ofGateway });
});

test('fan-out can read the stream and send messages; notify can receive them and reach its targets', () => {
  expect(permissionsOf('full')).toEqual({
    ...ofFunctions(...toTrace),
    ...ofGateway,
    NotificationsFanOutRole: [
      ...toLog('NotificationsFanOut'),
      ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
        (action) => `dynamodb:${action} on TablesContacts.StreamArn`,
      ),
      ...['NotificationsFanOutFailures', ...targetsOfFull.map((id) => `${id}Queue`)].map(
        (id) => `sqs:SendMessage on ${id}.Arn`,
      ),
    ].toSorted(),
    NotificationsNotifyRole: [
      ...toLog('NotificationsNotify'),
      'dynamodb:GetItem on TablesContacts.Arn',
      ...targetsOfFull.flatMap((id) =>
        ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) => `sqs:${action} on ${id}Queue.Arn`),
      ),
      `secretsmanager:GetSecretValue on ${hookTarget}Secret`,
      'secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-central-1:123456789012:secret:slack-url-??????',
      ...['configuration-set/NotificationsMailConfigurationSet'].map(ses),
      ...['contact@example.com', 'example.com', 'sales@example.com'].map((identity) => ses(`identity/${identity}`)),
    ].toSorted(),
  });
});

test('notify can mail only from the one address to the others', () => {
  const statements = Object.values(resourcesOf(template('full'), 'AWS::IAM::Policy')).flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement,
  );
  const conditions = statements.flatMap(({ Action, Condition }) => (Action === 'ses:SendEmail' ? [Condition] : []));
  expect(conditions).toEqual([
    {
      StringEquals: { 'ses:FromAddress': 'contact@example.com' },
      'ForAllValues:StringEquals': { 'ses:Recipients': ['sales@example.com'] },
    },
  ]);
});

/** The functions of `full`. */
const namesOfFull = [...Object.keys(matrix), 'NotificationsFanOut', 'NotificationsNotify'];

test('each role trusts one service', () => {
  const principals = Object.entries(resourcesOf(template('full'), 'AWS::IAM::Role')).map(([id, { Properties }]) => [
    id,
    Properties.AssumeRolePolicyDocument.Statement.map(({ Action, Condition, Principal }: Record<string, unknown>) => ({
      Action,
      Condition,
      Principal,
    })),
  ]);
  const assumedBy = (service: string) => [
    { Action: 'sts:AssumeRole', Principal: { Service: service }, Condition: undefined },
  ];
  expect(Object.fromEntries(principals)).toEqual({
    ...Object.fromEntries(namesOfFull.map((name) => [`${name}Role`, assumedBy('lambda.amazonaws.com')])),
    ApiRestApiCloudWatchRole: assumedBy('apigateway.amazonaws.com'),
  });
});

test('each function runs with its own role', () => {
  const roles = Object.entries(resourcesOf(template('full'), 'AWS::Lambda::Function')).map(([id, { Properties }]) => [
    id,
    textOf(Properties.Role),
  ]);
  expect(Object.fromEntries(roles)).toEqual(Object.fromEntries(namesOfFull.map((name) => [name, `${name}Role.Arn`])));
});

test.each(['bare', 'full'])('nothing in the template of %s can scan', (environment) => {
  expect(JSON.stringify(template(environment).toJSON())).not.toMatch(/scan/i);
});
