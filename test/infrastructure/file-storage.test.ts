import { expect, test } from 'vitest';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { bare, full, propertiesOfOnly, resourcesOf, synthesize, textOf } from './synthesize.ts';

const defended: EnvironmentInput = { ...bare, spam: { proofOfWork: 'mark' } };
const existingTables = { contacts: 'Old-Contacts1', campaigns: 'Old-Campaigns2', tokens: 'Old-Tokens3' };

const template = synthesize({
  bare,
  full,
  unscanned: { ...defended, files: { scan: false } },
  adopting: { ...full, existingTables, files: { existingBucket: 'old-files' } },
});

const bucketOf = (environment: string) => resourcesOf(template(environment), 'AWS::S3::Bucket')['FilesBucket'];

const denialsOf = (environment: string) =>
  propertiesOfOnly(template(environment), 'AWS::S3::BucketPolicy')['PolicyDocument'].Statement.map(
    ({ Sid: _, ...statement }: Readonly<Record<string, unknown>>) => statement,
  );

test('the bucket is private, encrypted and has no versions', () => {
  expect(bucketOf('full')?.['Properties']).toEqual({
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    LifecycleConfiguration: {
      Rules: [{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' }],
    },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
  });
});

test.each([
  ['unscanned', 'Delete', 'Delete', undefined],
  ['full', 'RetainExceptOnCreate', 'Retain', undefined],
  ['adopting', 'Retain', 'Retain', 'old-files'],
])('the bucket of %s: %s, %s, named %s', (environment, deletion, replacement, name) => {
  const { DeletionPolicy, UpdateReplacePolicy, Properties } = bucketOf(environment) ?? {};
  expect([DeletionPolicy, UpdateReplacePolicy, Properties.BucketName]).toEqual([deletion, replacement, name]);
});

const tag = 's3:ExistingObjectTag/GuardDutyMalwareScanStatus';
const bucket = { 'Fn::GetAtt': [expect.stringMatching(/^FilesBucket/), 'Arn'] };
const objects = { 'Fn::Join': ['', [bucket, '/*']] };
const overPlainHttp = {
  Action: 's3:*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  Effect: 'Deny',
  Principal: { AWS: '*' },
  Resource: [bucket, objects],
};
const reading = { Action: 's3:GetObject', Effect: 'Deny', Principal: { AWS: '*' }, Resource: objects };

test('nobody but the scanner can read a file that it has not yet scanned, or that is infected', () => {
  const scanner = { 'Fn::GetAtt': [expect.stringMatching(/^FilesScanRole/), 'Arn'] };
  const readable = ['NO_THREATS_FOUND', 'UNSUPPORTED', 'ACCESS_DENIED', 'FAILED'];
  expect(denialsOf('full')).toEqual([
    overPlainHttp,
    {
      ...reading,
      Condition: { StringNotEquals: { [tag]: readable }, ArnNotEquals: { 'aws:PrincipalArn': scanner } },
    },
  ]);
  expect(propertiesOfOnly(template('full'), 'AWS::GuardDuty::MalwareProtectionPlan')).toMatchObject({
    Actions: { Tagging: { Status: 'ENABLED' } },
    ProtectedResource: { S3Bucket: { BucketName: { Ref: expect.stringMatching(/^FilesBucket/) } } },
    Role: scanner,
  });
});

test('without a scan, what an earlier one found infected stays unreadable', () => {
  expect(denialsOf('unscanned')).toEqual([
    overPlainHttp,
    { ...reading, Condition: { StringEquals: { [tag]: 'THREATS_FOUND' } } },
  ]);
  expect(resourcesOf(template('unscanned'), 'AWS::GuardDuty::MalwareProtectionPlan')).toEqual({});
});

test('delete-files gets each removal, also without notifications, and runs once a day', () => {
  expect(propertiesOfOnly(template('unscanned'), 'AWS::Lambda::EventSourceMapping')).toMatchObject({
    EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^TablesContacts/), 'StreamArn'] },
    FilterCriteria: { Filters: [{ Pattern: '{"eventName":["REMOVE"]}' }] },
    MaximumRetryAttempts: -1,
    StartingPosition: 'TRIM_HORIZON',
  });
  const { ScheduleExpression, State, Targets } = propertiesOfOnly(template('unscanned'), 'AWS::Events::Rule');
  expect([ScheduleExpression, State]).toEqual(['rate(1 day)', 'ENABLED']);
  expect(Targets).toMatchObject([{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^FilesDeleteFiles/), 'Arn'] } }]);
});

test('only the functions that need it know the bucket', () => {
  const knowing = Object.entries(resourcesOf(template('full'), 'AWS::Lambda::Function')).flatMap(
    ([id, { Properties }]) => (Properties.Environment?.Variables.FILES_BUCKET ? [id] : []),
  );
  expect(knowing.toSorted()).toEqual(['CreateContact', 'FilesDeleteFiles', 'GetContact']);
});

test.each([
  ['full', 'true'],
  ['unscanned', 'false'],
  ['bare', undefined],
])('get-contact of %s knows whether files are scanned: %s', (environment, scan) => {
  const { GetContact } = resourcesOf(template(environment), 'AWS::Lambda::Function');
  expect(GetContact?.['Properties'].Environment.Variables.SCAN).toBe(scan);
});

test('the output FilesBucket names the bucket', () => {
  expect(textOf(template('full').findOutputs('FilesBucket')['FilesBucket']?.['Value'])).toBe('FilesBucket');
});
