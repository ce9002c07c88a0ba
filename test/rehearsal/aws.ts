import {
  CloudFormationClient,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CreateBackupCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
  RestoreTableFromBackupCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
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

const redrivePolicy = v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() }));

interface StackState {
  readonly status: string;
  readonly isProtected: boolean;
}

/** Where and as whom to call AWS. */
export interface Access {
  readonly region: string;
  /** @defaultValue AWS's own, or that of the variable AWS_ENDPOINT_URL */
  readonly endpoint?: string;
  /** @defaultValue those of the shell */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Does what an operator does in the AWS console. */
export const awsConsole = (access: Access) => {
  const cloudFormation = new CloudFormationClient(access);
  const dynamoDb = new DynamoDBClient(access);
  const s3 = new S3Client(access);
  const secrets = new SecretsManagerClient(access);
  const sqs = new SQSClient(access);
  return {
    stateOf: async (stack: string): Promise<StackState> => {
      const { Stacks: [found] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
      return { status: found?.StackStatus ?? '', isProtected: found?.EnableTerminationProtection === true };
    },

    isProtected: async (table: string): Promise<boolean> => {
      const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: table }));
      return Table?.DeletionProtectionEnabled === true;
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

    /** The keys of up to a thousand objects. */
    keysIn: async (bucket: string): Promise<string[]> => {
      const { Contents: objects = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      return objects.flatMap(({ Key }) => Key ?? []);
    },

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

    storeSecret: (name: string, secret: string) =>
      secrets.send(new CreateSecretCommand({ Name: name, SecretString: secret })),

    /** Makes a queue retry after a second, and give up after so many tries. @returns what undoes it */
    giveUpAfter: async (QueueUrl: string, maxReceiveCount: number): Promise<() => Promise<unknown>> => {
      const { Attributes: before = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy', 'VisibilityTimeout'] }),
      );
      const policy = { ...v.parse(redrivePolicy, before.RedrivePolicy), maxReceiveCount };
      const set = (Attributes: Record<string, string>) =>
        sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
      await set({ RedrivePolicy: JSON.stringify(policy), VisibilityTimeout: '1' });
      return () => set(before);
    },

    /** The bodies of visible messages in a queue, which stay there. */
    messagesIn: async (QueueUrl: string): Promise<string[]> => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
      );
      return Messages.map(({ Body = '' }) => Body);
    },

    /** Moves each message of a dead-letter queue back to its queue, as StartMessageMoveTask does. */
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
