// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation and the CDK write parameters so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultStackSynthesizer } from 'aws-cdk-lib';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const statement = v.object({ Action: v.unknown(), Resource: v.unknown() });

const role = v.object({
  Properties: v.object({
    AssumeRolePolicyDocument: v.object({
      Statement: v.tuple([v.object({ Condition: v.object({ StringEquals: v.record(v.string(), v.unknown()) }) })]),
    }),
    Policies: v.tuple([v.object({ PolicyDocument: v.object({ Statement: v.array(statement) }) })]),
  }),
});

const file = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy-role.yaml'), 'utf8');

// The parser leaves out the tags of CloudFormation, such as `!Sub`.
const { Resources } = v.parse(
  v.object({ Resources: v.object({ Deploy: role, Diff: role }) }),
  parse(file, { logLevel: 'silent' }),
);

const permissionsOf = ({ Properties }: v.InferOutput<typeof role>) => {
  const [{ PolicyDocument }] = Properties.Policies;
  return PolicyDocument.Statement.map(({ Action, Resource }) => [Action, Resource]);
};

const subjectOf = ({ Properties }: v.InferOutput<typeof role>) => {
  const [{ Condition }] = Properties.AssumeRolePolicyDocument.Statement;
  expect(Condition.StringEquals['token.actions.githubusercontent.com:aud']).toBe('sts.amazonaws.com');
  return Condition.StringEquals['token.actions.githubusercontent.com:sub'];
};

const ownStacks = 'arn:${AWS::Partition}:cloudformation:${AWS::Region}:${AWS::AccountId}:stack/ContactService-*';

test('the deploy role can only assume the roles of cdk bootstrap and read the state of own stacks', () => {
  expect(permissionsOf(Resources.Deploy)).toEqual([
    [
      'sts:AssumeRole',
      [
        DefaultStackSynthesizer.DEFAULT_DEPLOY_ROLE_ARN,
        DefaultStackSynthesizer.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
        DefaultStackSynthesizer.DEFAULT_LOOKUP_ROLE_ARN,
      ],
    ],
    ['cloudformation:DescribeStacks', ownStacks],
  ]);
  expect(subjectOf(Resources.Deploy)).toEqual([
    'TrustsBranch',
    'repo:${Repository}:ref:refs/heads/${Branch}',
    'repo:${Repository}:environment:${Environment}',
  ]);
});

test('the role for pull requests can only read own stacks and their templates', () => {
  expect(permissionsOf(Resources.Diff)).toEqual([
    [['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'], ownStacks],
  ]);
  expect(subjectOf(Resources.Diff)).toBe('repo:${Repository}:pull_request');
});
