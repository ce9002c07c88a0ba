import * as v from 'valibot';
import { expect, test } from 'vitest';
import { bare, full, resourcesOf, synthesize, targetsOfFull, textOf } from './synthesize.ts';

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
      Condition: v.optional(v.unknown()),
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

const toLog = (id: string) => [`logs:CreateLogStream on ${id}Logs.Arn`, `logs:PutLogEvents on ${id}Logs.Arn`];

/** The permissions of the functions behind the API, besides those to log. */
const ofTables = {
  CreateContact: ['dynamodb:PutItem on TablesContacts.Arn'],
  ListContacts: ['dynamodb:Query on TablesContacts.Arn/index/list'],
  GetContact: ['dynamodb:GetItem on TablesContacts.Arn'],
  DeleteContact: ['dynamodb:DeleteItem on TablesContacts.Arn', 'dynamodb:GetItem on TablesContacts.Arn'],
  ListCampaigns: ['dynamodb:Query on TablesCampaigns.Arn/index/list'],
  GetCampaign: ['dynamodb:GetItem on TablesCampaigns.Arn'],
  Authorizer: ['dynamodb:GetItem on TablesTokens.Arn'],
};

/** The same with triage. */
const withTriage = {
  ...ofTables,
  UpdateContact: ['dynamodb:GetItem on TablesContacts.Arn', 'dynamodb:UpdateItem on TablesContacts.Arn'],
};

/** The permissions of the API's roles. */
const ofApi = (tables: Readonly<Record<string, readonly string[]>>, ...others: string[]) => ({
  ...Object.fromEntries(
    Object.entries(tables).map(([name, actions]) => [`${name}Role`, [...actions, ...toLog(name), ...others]]),
  ),
  ApiRestApiCloudWatchRole: ['arn:AWS::Partition:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
});

test('roles have exactly these permissions', () => {
  expect(permissionsOf('bare')).toEqual(ofApi(ofTables));
});

const secretNamed = (name: string) =>
  `secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-central-1:123456789012:secret:${name}-??????`;

const readingOfStream = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (action) => `dynamodb:${action} on TablesContacts.StreamArn`,
);

/** The names of the templates of `full`: two languages, with the words of the environment and of a form. */
const templateNames = Object.values(resourcesOf(template('full'), 'AWS::SES::Template')).map(
  ({ Properties }) => Properties.Template.TemplateName,
);

test('fan-out can read the stream and send messages; notify and confirm can receive them and reach their targets', () => {
  const ses = (resource: string, action = 'SendEmail') =>
    `ses:${action} on arn:aws:ses:eu-central-1:123456789012:${resource}`;
  const ofConfirmations = 'configuration-set/NotificationsConfirmationConfigurationSet';
  expect(templateNames).toHaveLength(4);
  expect(permissionsOf('full')).toEqual({
    // X-Ray knows no resources.
    ...ofApi(withTriage, 'xray:PutTelemetryRecords on *', 'xray:PutTraceSegments on *'),
    CreateContactRole: [
      ...ofTables.CreateContact,
      'dynamodb:UpdateItem on TablesContacts.Arn',
      ...toLog('CreateContact'),
      's3:PutObject on FilesBucket.Arn/*',
      secretNamed('captcha-key'),
      'xray:PutTelemetryRecords on *',
      'xray:PutTraceSegments on *',
    ],
    GetContactRole: [
      ...ofTables.GetContact,
      ...toLog('GetContact'),
      's3:GetObject on FilesBucket.Arn/*',
      's3:GetObjectTagging on FilesBucket.Arn/*',
      'xray:PutTelemetryRecords on *',
      'xray:PutTraceSegments on *',
    ],
    FilesDeleteFilesRole: [
      'dynamodb:GetItem on TablesContacts.Arn',
      ...readingOfStream,
      ...toLog('FilesDeleteFiles'),
      's3:DeleteObject on FilesBucket.Arn/*',
      's3:ListBucket on FilesBucket.Arn',
    ].toSorted(),
    // What GuardDuty's guide asks for.
    FilesScanRole: [
      ...['DeleteRule', 'DescribeRule', 'ListTargetsByRule', 'PutRule', 'PutTargets', 'RemoveTargets'].map(
        (action) =>
          `events:${action} on arn:aws:events:eu-central-1:123456789012:rule/DO-NOT-DELETE-AmazonGuardDutyMalwareProtectionS3*`,
      ),
      ...['GetBucketLocation', 'GetBucketNotification', 'ListBucket', 'PutBucketNotification'].map(
        (action) => `s3:${action} on FilesBucket.Arn`,
      ),
      ...['Get', 'Put'].flatMap((verb) => [
        `s3:${verb}ObjectTagging on FilesBucket.Arn/*`,
        `s3:${verb}ObjectVersionTagging on FilesBucket.Arn/*`,
      ]),
      's3:GetObject on FilesBucket.Arn/*',
      's3:GetObjectVersion on FilesBucket.Arn/*',
      's3:PutObject on FilesBucket.Arn/malware-protection-resource-validation-object',
    ].toSorted(),
    NotificationsFanOutRole: [
      ...toLog('NotificationsFanOut'),
      ...readingOfStream,
      ...[
        'NotificationsFanOutFailures',
        'NotificationsConfirmationQueue',
        ...targetsOfFull.map((id) => `${id}Queue`),
      ].map((id) => `sqs:SendMessage on ${id}.Arn`),
    ].toSorted(),
    NotificationsNotifyRole: [
      ...toLog('NotificationsNotify'),
      'dynamodb:GetItem on TablesContacts.Arn',
      ...targetsOfFull.flatMap((id) =>
        ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) => `sqs:${action} on ${id}Queue.Arn`),
      ),
      `secretsmanager:GetSecretValue on ${targetsOfFull[1]}Secret`,
      secretNamed('slack-url'),
      ses('configuration-set/NotificationsMailConfigurationSet'),
      ...['contact@example.com', 'example.com', 'sales@example.com'].map((identity) => ses(`identity/${identity}`)),
    ].toSorted(),
    NotificationsConfirmationConfirmRole: [
      ...toLog('NotificationsConfirmationConfirm'),
      'dynamodb:GetItem on TablesContacts.Arn',
      'dynamodb:UpdateItem on NotificationsConfirmationTable.Arn',
      ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
        (action) => `sqs:${action} on NotificationsConfirmationQueue.Arn`,
      ),
      'secretsmanager:GetSecretValue on NotificationsConfirmationAddressKey',
      ...['identity/*', ofConfirmations, ...templateNames.map((name) => `template/${name}`)].map((resource) =>
        ses(resource, 'SendTemplatedEmail'),
      ),
    ].toSorted(),
    NotificationsConfirmationStopRole: [
      ...toLog('NotificationsConfirmationStop'),
      ses(ofConfirmations, 'PutConfigurationSetSendingOptions'),
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

/** The conditions of a function's actions on its table. */
const conditionsOf = (environment: string, functionId: string) =>
  Object.entries(resourcesOf(template(environment), 'AWS::IAM::Policy'))
    .flatMap(([id, { Properties }]) => (id.startsWith(functionId) ? Properties.PolicyDocument.Statement : []))
    .flatMap(({ Action, Condition }) => (String(Action).startsWith('dynamodb:') ? [[Action, Condition]] : []));
test('confirm can mail from the one address only, and of what a visitor wrote it can read the address only', () => {
  const statements = Object.entries(resourcesOf(template('full'), 'AWS::IAM::Policy')).flatMap(
    ([id, { Properties }]) => (id.includes('ConfirmationConfirm') ? Properties.PolicyDocument.Statement : []),
  );
  const conditionOf = (action: string) => statements.find(({ Action }) => Action === action)?.Condition;
  expect(conditionOf('ses:SendTemplatedEmail')).toEqual({ StringEquals: { 'ses:FromAddress': 'contact@example.com' } });
  expect(conditionOf('dynamodb:GetItem')).toEqual({
    'ForAllValues:StringEquals': {
      'dynamodb:Attributes': ['id', 'createdAt', 'releasedAt', 'email', 'site', 'form', 'listPartition', 'expiresAt'],
    },
    StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  });
});

test('delete-contact can read nothing of a contact request but what it needs', () => {
  expect(conditionsOf('bare', 'DeleteContact')).toEqual([
    [
      'dynamodb:GetItem',
      {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['id', 'expiresAt'] },
        StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    ],
    ['dynamodb:DeleteItem', { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } }],
  ]);
});

test('delete-files can read nothing of a contact request but which files it names', () => {
  expect(conditionsOf('full', 'FilesDeleteFiles').filter(([action]) => action === 'dynamodb:GetItem')).toEqual([
    [
      'dynamodb:GetItem',
      {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['id', 'upload'] },
        StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    ],
  ]);
});

test('create-contact can change no item but those that count the bytes of files', () => {
  expect(conditionsOf('full', 'CreateContact')).toEqual([
    ['dynamodb:PutItem', undefined],
    [
      'dynamodb:UpdateItem',
      {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['id', 'bytes', 'expiresAt'] },
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['files *', 'caught files *'] },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      },
    ],
  ]);
});

test('update-contact can change nothing of a contact request but what staff say of it, and where it stands', () => {
  expect(conditionsOf('full', 'UpdateContact')).toEqual([
    ['dynamodb:GetItem', undefined],
    [
      'dynamodb:UpdateItem',
      {
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': [
            ...['id', 'listPartition', 'listSort'],
            ...['releasedAt', 'spamReason', 'answeredAt', 'answeredBy', 'announced'],
          ],
        },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      },
    ],
  ]);
});

test('each role trusts one service, and each function runs with its own role', () => {
  const trusted = Object.entries(resourcesOf(template('full'), 'AWS::IAM::Role')).map(([id, { Properties }]) => {
    const [{ Action, Condition, Principal }, ...others] = Properties.AssumeRolePolicyDocument.Statement;
    expect([Action, Condition, others]).toEqual(['sts:AssumeRole', undefined, []]);
    return [id, Principal];
  });
  const functions = [
    ...Object.keys(withTriage),
    'FilesDeleteFiles',
    'NotificationsFanOut',
    'NotificationsNotify',
    'NotificationsConfirmationConfirm',
    'NotificationsConfirmationStop',
  ];
  expect(Object.fromEntries(trusted)).toEqual({
    ...Object.fromEntries(functions.map((name) => [`${name}Role`, { Service: 'lambda.amazonaws.com' }])),
    ApiRestApiCloudWatchRole: { Service: 'apigateway.amazonaws.com' },
    FilesScanRole: { Service: 'malware-protection-plan.guardduty.amazonaws.com' },
  });
  const roles = Object.entries(resourcesOf(template('full'), 'AWS::Lambda::Function')).map(([id, { Properties }]) => [
    id,
    textOf(Properties.Role),
  ]);
  expect(Object.fromEntries(roles)).toEqual(Object.fromEntries(functions.map((name) => [name, `${name}Role.Arn`])));
});
