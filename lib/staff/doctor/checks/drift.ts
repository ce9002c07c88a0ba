import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  type StackResourceDrift,
} from '@aws-sdk/client-cloudformation';
import { StaffError } from '../../command-line/staff-error.ts';
import { type Check, type Finding, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/**
 * What CloudFormation asks for in its caller's name, by the type of what it compares: `handlers.read` of the type's schema
 * (https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html), without the keys of KMS, of
 * which the stack has none, and without a metric that DynamoDB's would write.
 */
export const reads: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway': ['apigateway:GET'],
  'AWS::CloudWatch::Alarm': ['cloudwatch:DescribeAlarms', 'cloudwatch:ListTagsForResource'],
  'AWS::DynamoDB::GlobalTable': [
    'application-autoscaling:DescribeScalableTargets',
    'application-autoscaling:DescribeScalingPolicies',
    'dynamodb:DescribeContinuousBackups',
    'dynamodb:DescribeContributorInsights',
    'dynamodb:DescribeKinesisStreamingDestination',
    'dynamodb:DescribeTable',
    'dynamodb:DescribeTableReplicaAutoScaling',
    'dynamodb:DescribeTimeToLive',
    'dynamodb:GetResourcePolicy',
    'dynamodb:ListTagsOfResource',
  ],
  'AWS::IAM::Policy': ['iam:GetRolePolicy'],
  'AWS::IAM::Role': ['iam:GetRole', 'iam:GetRolePolicy', 'iam:ListAttachedRolePolicies', 'iam:ListRolePolicies'],
  'AWS::Lambda::EventSourceMapping': ['lambda:GetEventSourceMapping', 'lambda:ListTags'],
  'AWS::Lambda::Function': [
    'lambda:GetFunction',
    'lambda:GetFunctionCodeSigningConfig',
    'lambda:GetFunctionRecursionConfig',
    'lambda:GetFunctionScalingConfig',
    'lambda:GetRuntimeManagementConfig',
  ],
  'AWS::Lambda::Permission': ['lambda:GetPolicy'],
  'AWS::Logs::LogGroup': [
    'logs:DescribeIndexPolicies',
    'logs:DescribeLogGroups',
    'logs:DescribeResourcePolicies',
    'logs:GetDataProtectionPolicy',
    'logs:ListTagsForResource',
  ],
  'AWS::Logs::MetricFilter': ['logs:DescribeMetricFilters'],
  'AWS::Route53::RecordSet': ['route53:GetHostedZone', 'route53:ListResourceRecordSets'],
  'AWS::SES::ConfigurationSet': ['ses:GetConfigurationSet', 'ses:ListTagsForResource'],
  'AWS::SES::ConfigurationSetEventDestination': [
    'ses:DescribeConfigurationSet',
    'ses:GetConfigurationSetEventDestinations',
  ],
  'AWS::SES::EmailIdentity': ['ses:GetEmailIdentity', 'ses:ListTagsForResource'],
  'AWS::SNS': [
    'sns:GetDataProtectionPolicy',
    'sns:GetSubscriptionAttributes',
    'sns:GetTopicAttributes',
    'sns:ListSubscriptionsByTopic',
    'sns:ListTagsForResource',
  ],
  'AWS::SQS': ['sqs:GetQueueAttributes', 'sqs:ListQueueTags'],
  'AWS::WAFv2::WebACL': ['wafv2:GetWebACL', 'wafv2:ListTagsForResource'],
};

/**
 * Not compared: a secret, since its value would have to be read; the association of the web ACL, since the permission to
 * read it allows to change it; the CDK's metadata, since CloudFormation cannot.
 */
export const notCompared: readonly string[] = [
  'AWS::CDK::Metadata',
  'AWS::SecretsManager::Secret',
  'AWS::WAFv2::WebACLAssociation',
];

/** Between two looks at how far CloudFormation is, in milliseconds. */
const pause = 2_000;

/** Has CloudFormation compare all that it can. */
const detect = async (client: CloudFormationClient, StackName: string, wait: Parameters<Check['look']>[1]) => {
  const { StackDriftDetectionId } = await client.send(new DetectStackDriftCommand({ StackName }));
  for (;;) {
    const { DetectionStatus: status } = await client.send(
      new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }),
    );
    if (status !== 'DETECTION_IN_PROGRESS') return;
    await wait(pause);
  }
};

const findingOf = (drift: StackResourceDrift, { stack }: Deployment): Finding[] => {
  const { StackResourceDriftStatus: status, ResourceType: type = '', LogicalResourceId: id } = drift;
  const remedy = `npx cdk drift ${stack} shows it, npx cdk deploy ${stack} --revert-drift takes it back`;
  if (status === 'DELETED') return [wrong(`${type} ${id} was deleted by another way.`, remedy)];
  if (status === 'MODIFIED') {
    // Where they differ and not how: a value may be a secret or an address.
    const paths = drift.PropertyDifferences?.map(({ PropertyPath }) => PropertyPath) ?? [];
    return [wrong(`${type} ${id} was changed by another way: ${paths.join(', ')}.`, remedy)];
  }
  if (status === 'UNKNOWN' && !notCompared.includes(type)) {
    return [
      wrong(
        `${type} ${id} could not be compared with what was deployed.`,
        'May these credentials read it? docs/operation.md, "Look after it"',
      ),
    ];
  }
  return [];
};

/** Whether somebody has changed what the stack has made. */
export const drift: Check = {
  name: 'drift',
  actions: [
    'cloudformation:DetectStackDrift',
    // Both asked for by the one before: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html
    'cloudformation:BatchDescribeTypeConfigurations',
    'cloudformation:DetectStackResourceDrift',
    'cloudformation:DescribeStackDriftDetectionStatus',
    'cloudformation:DescribeStackResourceDrifts',
    ...new Set(Object.values(reads).flat()),
  ],
  // "Up to several minutes": https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackDrift.html
  patience: 300_000,
  look: async (deployment, wait) => {
    const client = deployment.client(CloudFormationClient);
    await detect(client, deployment.stack, wait);
    const drifts: StackResourceDrift[] = [];
    const pages = paginateDescribeStackResourceDrifts({ client }, { StackName: deployment.stack });
    for await (const { StackResourceDrifts: page = [] } of pages) drifts.push(...page);
    if (drifts.length === 0) throw new StaffError('CloudFormation compared nothing.');
    return drifts.flatMap((each) => findingOf(each, deployment));
  },
};
