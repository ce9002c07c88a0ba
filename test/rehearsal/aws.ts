import { APIGatewayClient, GetRestApiCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CreateBackupCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  paginateListTables,
  RestoreTableFromBackupCommand,
  ScanCommand,
  UpdateContinuousBackupsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PutAccountDetailsCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { contactsTable } from '../../functions/contacts/table.ts';
import { credentials, region } from './emulator.ts';

const redrivePolicy = v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() }));

/** What became of a stack's resources when it was destroyed. */
export interface Fates {
  readonly deleted: number;
  /** A line for each that stays. */
  readonly kept: readonly string[];
}

export interface StackState {
  readonly status: string;
  readonly isProtected: boolean;
}

/** What an operator sees and does in the AWS console. */
export const awsConsole = (endpoint: string) => {
  const cloudFormation = new CloudFormationClient({ endpoint, region, credentials });
  const dynamoDb = new DynamoDBClient({ endpoint, region, credentials });
  const apiGateway = new APIGatewayClient({ endpoint, region, credentials });
  const lambda = new LambdaClient({ endpoint, region, credentials });
  const ses = new SESv2Client({ endpoint, region, credentials });
  const secrets = new SecretsManagerClient({ endpoint, region, credentials });
  const sqs = new SQSClient({ endpoint, region, credentials });
  return {
    /** What names a stack also when it is gone. */
    stackId: async (stack: string): Promise<string> => {
      const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
      return Stacks[0]?.StackId ?? '';
    },

    /** How a stack is, and what of it resists deletion. */
    stateOf: async (stack: string): Promise<StackState> => {
      const { Stacks: [found] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
      return { status: found?.StackStatus ?? '', isProtected: found?.EnableTerminationProtection === true };
    },

    isProtected: async (table: string): Promise<boolean> => {
      const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: table }));
      return Table?.DeletionProtectionEnabled === true;
    },

    fates: async (stackId: string): Promise<Fates> => {
      const last = new Map<string, { readonly status: string | undefined; readonly type: string | undefined }>();
      const pages = paginateDescribeStackEvents({ client: cloudFormation }, { StackName: stackId });
      for await (const { StackEvents = [] } of pages) {
        for (const { LogicalResourceId: id = '', ResourceStatus: status, ResourceType: type } of StackEvents) {
          // Newest first.
          if (!last.has(id)) last.set(id, { status, type });
        }
      }
      const resources = [...last].filter(([, { type }]) => type !== 'AWS::CloudFormation::Stack');
      return {
        deleted: resources.filter(([, { status }]) => status === 'DELETE_COMPLETE').length,
        kept: resources
          .filter(([, { status }]) => status === 'DELETE_SKIPPED')
          .map(([id, { type }]) => `${type} ${id}`),
      };
    },

    liftTerminationProtection: (stack: string) =>
      cloudFormation.send(
        new UpdateTerminationProtectionCommand({ StackName: stack, EnableTerminationProtection: false }),
      ),

    tablesOf: async (stack: string): Promise<string[]> => {
      const names: string[] = [];
      for await (const { TableNames = [] } of paginateListTables({ client: dynamoDb }, {})) names.push(...TableNames);
      return names.filter((name) => name.startsWith(`${stack}-`));
    },

    holdsContact: async (table: string, id: string): Promise<boolean> => {
      const { Item } = await dynamoDb.send(
        new GetItemCommand({ TableName: table, Key: { [contactsTable.partitionKey]: { S: id } } }),
      );
      return Item !== undefined;
    },

    /** Makes a contact request, which is no spam, as one that came then. */
    backdate: async (table: string, id: string, createdAt: Date): Promise<void> => {
      const time = createdAt.toISOString();
      await dynamoDb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { [contactsTable.partitionKey]: { S: id } },
          UpdateExpression: 'SET createdAt = :time, #sort = :sort',
          ExpressionAttributeNames: { '#sort': contactsTable.listIndex.sortKey },
          ExpressionAttributeValues: { ':time': { S: time }, ':sort': { S: `${time}#${id}` } },
        }),
      );
    },

    countItems: async (table: string): Promise<number | undefined> =>
      (await dynamoDb.send(new ScanCommand({ TableName: table, Select: 'COUNT' }))).Count,

    /** @returns what the backup is restored by */
    backUp: async (table: string): Promise<string | undefined> => {
      const { BackupDetails } = await dynamoDb.send(
        new CreateBackupCommand({ TableName: table, BackupName: 'backup' }),
      );
      return BackupDetails?.BackupArn;
    },

    restore: (backup: string | undefined, table: string) =>
      dynamoDb.send(new RestoreTableFromBackupCommand({ BackupArn: backup, TargetTableName: table })),

    deleteTable: async (table: string): Promise<void> => {
      await dynamoDb.send(new UpdateTableCommand({ TableName: table, DeletionProtectionEnabled: false }));
      await dynamoDb.send(new DeleteTableCommand({ TableName: table }));
    },

    /** Turns on what a restored table lacks. */
    setUpContactsTable: async (table: string): Promise<void> => {
      await dynamoDb.send(
        new UpdateTableCommand({
          TableName: table,
          DeletionProtectionEnabled: true,
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
        }),
      );
      await dynamoDb.send(
        new UpdateTimeToLiveCommand({
          TableName: table,
          TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        }),
      );
      await dynamoDb.send(
        new UpdateContinuousBackupsCommand({
          TableName: table,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      );
    },

    /** Puts the account into the sandbox of SES, where every new one is and recipients must be confirmed, or out of it. */
    setSandbox: (isSandbox: boolean) =>
      ses.send(
        new PutAccountDetailsCommand({
          MailType: 'TRANSACTIONAL',
          WebsiteURL: 'https://www.example.com',
          ProductionAccessEnabled: !isSandbox,
        }),
      ),

    /** Whether an API is to answer no more at the URL that API Gateway gives. */
    isDefaultEndpointOff: async (restApiId: string): Promise<boolean | undefined> =>
      (await apiGateway.send(new GetRestApiCommand({ restApiId }))).disableExecuteApiEndpoint,

    storeSecret: (name: string, secret: string) =>
      secrets.send(new CreateSecretCommand({ Name: name, SecretString: secret })),

    /** The one function of a stack whose logical id begins so, and its role. */
    functionOf: async (stack: string, id: string): Promise<{ readonly arn: string; readonly role: string }> => {
      const { StackResources = [] } = await cloudFormation.send(
        new DescribeStackResourcesCommand({ StackName: stack }),
      );
      const [found, ...others] = StackResources.filter(
        ({ ResourceType, LogicalResourceId }) =>
          ResourceType === 'AWS::Lambda::Function' && LogicalResourceId?.startsWith(id),
      );
      if (!found || others.length > 0) throw new Error(`Not one function ${id}`);
      const { FunctionArn = '', Role = '' } = await lambda.send(
        new GetFunctionConfigurationCommand({ FunctionName: found.PhysicalResourceId }),
      );
      return { arn: FunctionArn, role: Role };
    },

    /** Lets a function read its queues, or no longer. */
    readQueues: async (name: string, enabled: boolean): Promise<void> => {
      const { EventSourceMappings = [] } = await lambda.send(
        new ListEventSourceMappingsCommand({ FunctionName: name }),
      );
      for (const { UUID } of EventSourceMappings) {
        await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: enabled }));
      }
    },

    /** Makes a queue give up a message after so many tries. @returns what undoes it */
    limitReceives: async (QueueUrl: string, maxReceiveCount: number): Promise<() => Promise<unknown>> => {
      const { Attributes: { RedrivePolicy = '' } = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
      );
      const set = (policy: string) =>
        sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy: policy } }));
      await set(JSON.stringify({ ...v.parse(redrivePolicy, RedrivePolicy), maxReceiveCount }));
      return () => set(RedrivePolicy);
    },

    /** Moves each message of a dead-letter queue to the queue that it came from, as StartMessageMoveTask does. */
    moveBack: async (QueueUrl: string): Promise<void> => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ['DeadLetterQueueSourceArn'],
        }),
      );
      for (const { Attributes: { DeadLetterQueueSourceArn: source = '' } = {}, Body, ReceiptHandle } of Messages) {
        const from = await sqs.send(new GetQueueUrlCommand({ QueueName: source.slice(source.lastIndexOf(':') + 1) }));
        await sqs.send(new SendMessageCommand({ QueueUrl: from.QueueUrl, MessageBody: Body }));
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    },
  };
};
