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
      // notifications/notifications.test.ts says which.
      Condition: v.optional(v.object({ StringEquals: v.unknown(), 'ForAllValues:StringEquals': v.unknown() })),
    }),
  ),
});

/** What each role may do: `<action> on <resource>`, whichever way the role has it. */
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

/** The one table that each function may use, and what it may do there. */
const matrix = {
  ...byEndpoint(({ table, actions, index }) => {
    const arn = `${table === 'contacts' ? 'TablesContacts' : 'TablesCampaigns'}.Arn`;
    return actions.map((action) => `dynamodb:${action} on ${index ? `${arn}/index/${index}` : arn}`).toSorted();
  }),
  Authorizer: ['dynamodb:GetItem on TablesTokens.Arn'],
};

test('a row grants single actions, and the endpoints of the document no others than these', () => {
  expect(matrix).toMatchObject({
    CreateContact: ['dynamodb:PutItem on TablesContacts.Arn'],
    ListContacts: ['dynamodb:Query on TablesContacts.Arn/index/list'],
    GetContact: ['dynamodb:GetItem on TablesContacts.Arn'],
    DeleteContact: ['dynamodb:DeleteItem on TablesContacts.Arn', 'dynamodb:GetItem on TablesContacts.Arn'],
    ListCampaigns: ['dynamodb:Query on TablesCampaigns.Arn/index/list'],
    GetCampaign: ['dynamodb:GetItem on TablesCampaigns.Arn'],
  });
});

/** What each function may do besides. */
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

const [mailTarget, hookTarget, slackTarget] = targetsOfFull;

/** What tells one target has its queue, and its secret or the identities of its mails, and no other's. */
const ofTarget = (id: string, ...others: string[]) => ({
  [`${id}FunctionRole`]: [
    ...toLog(`${id}Function`),
    'dynamodb:GetItem on TablesContacts.Arn',
    `sqs:ChangeMessageVisibility on ${id}Queue.Arn`,
    `sqs:DeleteMessage on ${id}Queue.Arn`,
    `sqs:GetQueueAttributes on ${id}Queue.Arn`,
    `sqs:ReceiveMessage on ${id}Queue.Arn`,
    'sqs:SendMessage on NotificationsDeadLetters.Arn',
    ...others,
  ].toSorted(),
});

const sendAs = (identity: string) => `ses:SendEmail on arn:aws:ses:eu-central-1:123456789012:identity/${identity}`;

test('roles may do exactly what is listed here', () => {
  expect(permissionsOf('bare')).toEqual({ ...ofFunctions(), ...ofGateway });
});

test('notifications add a role for the pipe, which may read the stream and publish, and one for each target', () => {
  expect(permissionsOf('full')).toEqual({
    ...ofFunctions(...toTrace),
    ...ofGateway,
    NotificationsPipeRole: [
      'dynamodb:DescribeStream on TablesContacts.StreamArn',
      'dynamodb:GetRecords on TablesContacts.StreamArn',
      'dynamodb:GetShardIterator on TablesContacts.StreamArn',
      'dynamodb:ListStreams on TablesContacts.StreamArn',
      'sns:Publish on NotificationsTopic',
      'sqs:SendMessage on NotificationsDeadLetters.Arn',
    ],
    ...ofTarget(mailTarget, ...['contact@example.com', 'example.com', 'sales@example.com'].map(sendAs)),
    ...ofTarget(hookTarget, `secretsmanager:GetSecretValue on ${hookTarget}Secret`),
    ...ofTarget(slackTarget),
  });
});

/** The functions of `full`. */
const namesOfFull = [...Object.keys(matrix), ...targetsOfFull.map((id) => `${id}Function`)];

test('a role is for one service', () => {
  const principals = Object.entries(resourcesOf(template('full'), 'AWS::IAM::Role')).map(([id, { Properties }]) => [
    id,
    Properties.AssumeRolePolicyDocument.Statement.map(({ Action, Condition, Principal }: Record<string, unknown>) => ({
      Action,
      Condition,
      Principal,
    })),
  ]);
  const assumedBy = (service: string, condition?: object) => [
    { Action: 'sts:AssumeRole', Principal: { Service: service }, Condition: condition },
  ];
  const fromThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  expect(Object.fromEntries(principals)).toEqual({
    ...Object.fromEntries(namesOfFull.map((name) => [`${name}Role`, assumedBy('lambda.amazonaws.com')])),
    ApiRestApiCloudWatchRole: assumedBy('apigateway.amazonaws.com'),
    NotificationsPipeRole: assumedBy('pipes.amazonaws.com', fromThisAccount),
  });
});

test('each function runs with its own role', () => {
  const roles = Object.entries(resourcesOf(template('full'), 'AWS::Lambda::Function')).map(([id, { Properties }]) => [
    id,
    textOf(Properties.Role),
  ]);
  expect(Object.fromEntries(roles)).toEqual(Object.fromEntries(namesOfFull.map((name) => [name, `${name}Role.Arn`])));
});

test.each(['bare', 'full'])('nothing in the template of %s may scan', (environment) => {
  expect(JSON.stringify(template(environment).toJSON())).not.toMatch(/scan/i);
});
