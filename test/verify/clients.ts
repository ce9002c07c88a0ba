import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { makeClient } from '../../lib/shared/aws.ts';
import type { Access } from '../rehearsal/aws.ts';

export const clientsOf = (access: Access) => {
  // A throttled call is no failure: API Gateway takes one UpdateAccount in 20 seconds.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
  const options = { ...access, maxAttempts: 12 };
  return {
    apiGateway: makeClient(APIGatewayClient, options),
    cloudFormation: makeClient(CloudFormationClient, options),
    cloudWatch: makeClient(CloudWatchClient, options),
    dynamoDb: makeClient(DynamoDBClient, options),
    iam: makeClient(IAMClient, options),
    lambda: makeClient(LambdaClient, options),
    logs: makeClient(CloudWatchLogsClient, options),
    secrets: makeClient(SecretsManagerClient, options),
    ses: makeClient(SESv2Client, options),
    sns: makeClient(SNSClient, options),
    // An emulator gives URLs of another host.
    sqs: makeClient(SQSClient, { ...options, useQueueUrlAsEndpoint: false }),
    tagging: makeClient(ResourceGroupsTaggingAPIClient, options),
  };
};

export type Clients = ReturnType<typeof clientsOf>;
