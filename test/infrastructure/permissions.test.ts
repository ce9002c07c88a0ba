import * as v from 'valibot';
import { expect, test } from 'vitest';
import { bare, byEndpoint, full, resourcesOf, synthesize, textOf } from './synthesize.ts';

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
      Resource: v.pipe(v.unknown(), v.transform(textOf)),
    }),
  ),
});

/** What each role may do: `<action> on <resource>`, whichever way the role has it. */
const permissionsOf = (environment: string) => {
  const permissions: Record<string, string[]> = {};
  const add = (role: string, document: unknown) => {
    const granted = v
      .parse(policyDocument, document)
      .Statement.flatMap(({ Action, Resource }) => Action.map((action) => `${action} on ${Resource}`));
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
    CreateContact: ['dynamodb:GetItem on TablesContacts.Arn', 'dynamodb:PutItem on TablesContacts.Arn'],
    ListContacts: ['dynamodb:Query on TablesContacts.Arn/index/list'],
    GetContact: ['dynamodb:GetItem on TablesContacts.Arn'],
    DeleteContact: ['dynamodb:DeleteItem on TablesContacts.Arn', 'dynamodb:GetItem on TablesContacts.Arn'],
    ListCampaigns: ['dynamodb:Query on TablesCampaigns.Arn/index/list'],
    GetCampaign: ['dynamodb:GetItem on TablesCampaigns.Arn'],
  });
});

const ofFunctions = Object.fromEntries(
  Object.entries(matrix).map(([name, ofTable]) => [
    `${name}Role`,
    [
      ...ofTable,
      `logs:CreateLogStream on ${name}Logs.Arn`,
      `logs:PutLogEvents on ${name}Logs.Arn`,
      // X-Ray knows no resources.
      'xray:PutTelemetryRecords on *',
      'xray:PutTraceSegments on *',
    ],
  ]),
);

const ofGateway = {
  ApiRestApiCloudWatchRole: ['arn:AWS::Partition:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
};

const ofPipe = (target: string) => [
  'dynamodb:DescribeStream on TablesContacts.StreamArn',
  'dynamodb:GetRecords on TablesContacts.StreamArn',
  'dynamodb:GetShardIterator on TablesContacts.StreamArn',
  'dynamodb:ListStreams on TablesContacts.StreamArn',
  target,
  'sqs:SendMessage on NotificationsDeadLetters.Arn',
];

test('roles may do exactly what is listed here', () => {
  expect(permissionsOf('bare')).toEqual({ ...ofFunctions, ...ofGateway });
});

test('notifications add a role for each pipe, which may read the stream and reach its target', () => {
  expect(permissionsOf('full')).toEqual({
    ...ofFunctions,
    ...ofGateway,
    NotificationsEmailPipeRole: ofPipe('sns:Publish on NotificationsEmails').toSorted(),
    NotificationsWebhookPipeRole: ofPipe(
      'events:InvokeApiDestination on NotificationsWebhookApiDestination.Arn',
    ).toSorted(),
  });
});

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
    ...Object.fromEntries(Object.keys(matrix).map((name) => [`${name}Role`, assumedBy('lambda.amazonaws.com')])),
    ApiRestApiCloudWatchRole: assumedBy('apigateway.amazonaws.com'),
    NotificationsEmailPipeRole: assumedBy('pipes.amazonaws.com', fromThisAccount),
    NotificationsWebhookPipeRole: assumedBy('pipes.amazonaws.com', fromThisAccount),
  });
});

test('each function runs with its own role', () => {
  const roles = Object.entries(resourcesOf(template('full'), 'AWS::Lambda::Function')).map(([id, { Properties }]) => [
    id,
    textOf(Properties.Role),
  ]);
  expect(Object.fromEntries(roles)).toEqual(
    Object.fromEntries(Object.keys(matrix).map((name) => [name, `${name}Role.Arn`])),
  );
});

test.each(['bare', 'full'])('nothing in the template of %s may scan', (environment) => {
  expect(JSON.stringify(template(environment).toJSON())).not.toMatch(/scan/i);
});
