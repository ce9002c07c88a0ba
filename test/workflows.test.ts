// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation and the CDK write parameters so.
import { readdirSync, readFileSync } from 'node:fs';
import { DefaultStackSynthesizer } from 'aws-cdk-lib';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const files = readdirSync('.github/workflows');

const step = v.object({ uses: v.optional(v.string()), run: v.optional(v.string()) });
const workflow = v.object({ jobs: v.record(v.string(), v.object({ steps: v.array(step) })) });

const stepsOf = (file: string) =>
  Object.values(v.parse(workflow, parse(readFileSync(`.github/workflows/${file}`, 'utf8'))).jobs).flatMap(
    ({ steps }) => steps,
  );

test.each(files)('%s pins each action to a commit', (file) => {
  for (const { uses } of stepsOf(file)) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
});

test.each(files)('%s puts no untrusted text into a script', (file) => {
  // A matrix is the workflow's own.
  for (const { run } of stepsOf(file)) if (run) expect(run).not.toMatch(/\$\{\{(?! matrix\.\w+ \}\})/);
});

const role = v.object({
  Properties: v.object({
    AssumeRolePolicyDocument: v.object({
      Statement: v.tuple([v.object({ Condition: v.object({ StringEquals: v.record(v.string(), v.unknown()) }) })]),
    }),
    Policies: v.tuple([
      v.object({
        PolicyDocument: v.object({ Statement: v.array(v.object({ Action: v.unknown(), Resource: v.unknown() })) }),
      }),
    ]),
  }),
});

const retained = v.object({ DeletionPolicy: v.optional(v.string()), UpdateReplacePolicy: v.optional(v.string()) });

// The parser leaves out the tags of CloudFormation, such as `!Sub`.
const { Provider, Deploy, Diff } = v.parse(
  v.object({ Resources: v.object({ Provider: retained, Deploy: role, Diff: role }) }),
  parse(readFileSync('docs/deploy-role.yaml', 'utf8'), { logLevel: 'silent' }),
).Resources;

test("GitHub's identity provider outlives the stack, since roles of other stacks share it", () => {
  expect(Provider).toEqual({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
});

const ownStacks = 'arn:${AWS::Partition}:cloudformation:${AWS::Region}:${AWS::AccountId}:stack/ContactService-*';

test.each([
  [
    'deploys can only assume the roles of cdk bootstrap and read the state of own stacks',
    Deploy,
    [
      {
        Action: 'sts:AssumeRole',
        Resource: [
          DefaultStackSynthesizer.DEFAULT_DEPLOY_ROLE_ARN,
          DefaultStackSynthesizer.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
          DefaultStackSynthesizer.DEFAULT_LOOKUP_ROLE_ARN,
        ],
      },
      { Action: 'cloudformation:DescribeStacks', Resource: ownStacks },
    ],
    ['TrustsBranch', 'repo:${Repository}:ref:refs/heads/${Branch}', 'repo:${Repository}:environment:${Environment}'],
  ],
  [
    'serves pull requests can only read own stacks and their templates',
    Diff,
    [{ Action: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'], Resource: ownStacks }],
    'repo:${Repository}:pull_request',
  ],
])('the role that %s', (_, { Properties }, permissions, subject) => {
  expect(Properties.Policies[0].PolicyDocument.Statement).toEqual(permissions);
  const [{ Condition }] = Properties.AssumeRolePolicyDocument.Statement;
  expect(Condition.StringEquals).toEqual({
    'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
    'token.actions.githubusercontent.com:sub': subject,
  });
});
