import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { createDeployRoleApp } from '../../../lib/infrastructure/deploy-role/app.ts';
import { type Resources, resourcesOf, temporaryFolder, textOf } from '../synthesize.ts';

const given = { repository: 'acme/contact-settings', environment: 'prod' };

/** Its template; it is not synthesized with a finding of cdk-nag that is not acknowledged. */
const templateOf = (context: Readonly<Record<string, unknown>>) =>
  Template.fromJSON(
    createDeployRoleApp({ outdir: temporaryFolder(), context: { ...given, ...context } })
      .synth()
      .getStackByName('ContactServiceDeployment-prod').template,
  );

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const rolesOf = (context: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(
    Object.entries(resourcesOf(templateOf(context), 'AWS::IAM::Role')).map(([id, { Properties }]) => {
      const [trust, ...noOther] = Properties.AssumeRolePolicyDocument.Statement;
      expect(noOther).toEqual([]);
      expect(trust).toMatchObject({ Effect: 'Allow', Action: 'sts:AssumeRoleWithWebIdentity' });
      expect(Properties.ManagedPolicyArns).toBeUndefined();
      const allowed = Properties.Policies.flatMap(({ PolicyDocument }: Resources[string]) =>
        PolicyDocument.Statement.flatMap(({ Effect, Action, Resource }: Resources[string]) => {
          expect(Effect).toBe('Allow');
          return list(Action).flatMap((action) => list(Resource).map((resource) => `${action} ${textOf(resource)}`));
        }),
      );
      return [id, { trusts: trust.Condition, of: textOf(trust.Principal.Federated), allowed }];
    }),
  );

const issuer = 'token.actions.githubusercontent.com';

const onlyOf = (subject: string) => ({
  StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: `repo:acme/contact-settings:${subject}` },
});

const inAccount = 'arn:AWS::Partition:iam::AWS::AccountId';
const describeStacks = 'cloudformation:DescribeStacks arn:AWS::Partition:cloudformation:*:AWS::AccountId:stack/*';

test('what deploys may become the roles of the CDK in its account and region, and look at stacks', () => {
  expect(rolesOf()['Deploy']).toEqual({
    trusts: onlyOf('environment:prod'),
    of: 'GitHub',
    allowed: [
      ...['deploy', 'file-publishing', 'lookup'].map(
        (role) => `sts:AssumeRole ${inAccount}:role/cdk-hnb659fds-${role}-role-AWS::AccountId-AWS::Region`,
      ),
      describeStacks,
    ],
  });
});

test('what compares, for code that nobody has reviewed, reads the templates of this service', () => {
  expect(rolesOf()['Diff']).toEqual({
    trusts: onlyOf('pull_request'),
    of: 'GitHub',
    allowed: [
      'cloudformation:GetTemplate arn:AWS::Partition:cloudformation:AWS::Region:AWS::AccountId:stack/ContactService-*',
      describeStacks,
    ],
  });
});

test('a branch may be trusted in the place of an environment of GitHub', () => {
  expect(rolesOf({ branch: 'main' })['Deploy']?.trusts).toEqual(onlyOf('ref:refs/heads/main'));
});

test('who has bootstrapped with a qualifier has its roles trusted', () => {
  const { Deploy: deploy } = rolesOf({ '@aws-cdk/core:bootstrapQualifier': 'acme' });
  expect(deploy?.allowed[0]).toBe(`sts:AssumeRole ${inAccount}:role/cdk-acme-deploy-role-AWS::AccountId-AWS::Region`);
});

test('GitHub is made known to the account, unless it is', () => {
  const providers = (context: Readonly<Record<string, unknown>>) =>
    Object.values(resourcesOf(templateOf(context), 'AWS::IAM::OIDCProvider')).map(({ Properties }) => Properties);
  expect(providers({})).toEqual([{ Url: `https://${issuer}`, ClientIdList: ['sts.amazonaws.com'] }]);
  expect(providers({ provider: 'existing' })).toEqual([]);
  expect(rolesOf({ provider: 'existing' })['Deploy']?.of).toBe(`${inAccount}:oidc-provider/${issuer}`);
});

test.each<[fault: string, context: Readonly<Record<string, unknown>>]>([
  ['-c repository: must be the repository that deploys, as <owner>/<name>', { repository: 'acme' }],
  ['-c repository: must be the repository that deploys, as <owner>/<name>', { repository: 'acme/*' }],
  ['-c environment: must be the environment that is deployed, as "prod"', { environment: undefined }],
  ['-c branch: must be the name of a branch, as "main"', { branch: '*' }],
  ['-c provider: must be "existing", or left out', { provider: 'mine' }],
])('%s', (fault, context) => {
  expect(() => createDeployRoleApp({ outdir: temporaryFolder(), context: { ...given, ...context } })).toThrow(fault);
});
