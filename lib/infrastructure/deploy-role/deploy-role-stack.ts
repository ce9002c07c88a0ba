import { Aws, CfnOutput, DefaultStackSynthesizer, Stack, Validations } from 'aws-cdk-lib';
import {
  type IOidcProvider,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Trust } from './trust.ts';

/** https://docs.github.com/en/actions/reference/security/oidc */
const issuer = 'token.actions.githubusercontent.com';

const audience = 'sts.amazonaws.com';

/** What `cdk deploy` becomes, one after the other; no image is published. */
const bootstrapRoles = [
  DefaultStackSynthesizer.DEFAULT_DEPLOY_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_LOOKUP_ROLE_ARN,
];

/** An ARN with what CloudFormation knows in the places of `${AWS::Region}` and the like. */
const placed = (arn: string, qualifier: string) => {
  const known: Readonly<Record<string, string>> = {
    'AWS::Partition': Aws.PARTITION,
    'AWS::AccountId': Aws.ACCOUNT_ID,
    'AWS::Region': Aws.REGION,
    Qualifier: qualifier,
  };
  return arn.replaceAll(/\$\{([\w:]+)\}/g, (_, name: string) => known[name] ?? name);
};

/** Any region: an environment may have moved. */
const anyStack = `arn:${Aws.PARTITION}:cloudformation:*:${Aws.ACCOUNT_ID}:stack/*`;
const ownStacks = `arn:${Aws.PARTITION}:cloudformation:${Aws.REGION}:${Aws.ACCOUNT_ID}:stack/ContactService-*`;

/** The guards of a deployment look at what is deployed, and who asks needs no permission for sts:GetCallerIdentity. */
const lookAtStacks = new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [anyStack] });

/**
 * Two roles for a workflow of GitHub, without any key that is kept. `Deploy` may become what `cdk bootstrap` has made for the
 * CDK in this account and region. `Diff`, for pull requests, whose code nobody has reviewed, reads the templates of this
 * service and nothing else: the CDK's own role for that reads everything in the account, contact requests too.
 */
export class DeployRoleStack extends Stack {
  constructor(scope: Construct, id: string, { repository, environment, branch, providerExists }: Trust) {
    super(scope, id, {
      description: `Deploys the Contact Request and Campaign Service, ${environment}, from ${repository}`,
      tags: { Service: 'contact-service', Environment: environment },
    });
    const qualifier = this.synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;

    const provider: IOidcProvider = providerExists
      ? OidcProviderNative.fromOidcProviderArn(
          this,
          'GitHub',
          `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${issuer}`,
        )
      : new OidcProviderNative(this, 'GitHub', { url: `https://${issuer}`, clientIds: [audience] });

    const role = (roleId: string, subject: string, statements: PolicyStatement[]) => {
      const made = new Role(this, roleId, {
        description: `GitHub, repo:${repository}:${subject}`,
        assumedBy: new WebIdentityPrincipal(provider.oidcProviderArn, {
          StringEquals: { [`${issuer}:aud`]: audience, [`${issuer}:sub`]: `repo:${repository}:${subject}` },
        }),
        inlinePolicies: { Allowed: new PolicyDocument({ statements }) },
      });
      Validations.of(made).acknowledge(
        {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:*:<AWS::AccountId>:stack/*]`,
          reason:
            'The guards look for the stack of an environment under other names and in other regions; they see what is deployed, and no data.',
        },
        {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/ContactService-*]`,
          reason: 'A stack has its id, which nobody knows before it is made, at the end of its ARN.',
        },
      );
      new CfnOutput(this, `${roleId}Role`, { value: made.roleArn });
    };

    role('Deploy', branch === undefined ? `environment:${environment}` : `ref:refs/heads/${branch}`, [
      new PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: bootstrapRoles.map((arn) => placed(arn, qualifier)),
      }),
      lookAtStacks,
    ]);
    role('Diff', 'pull_request', [
      new PolicyStatement({ actions: ['cloudformation:GetTemplate'], resources: [ownStacks] }),
      lookAtStacks,
    ]);
  }
}
