import assert from 'node:assert/strict';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import {
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Access } from './access.ts';
import type { Finding } from './ask.ts';

export const setRecovery = (TableName: string, isOn: boolean) =>
  new UpdateContinuousBackupsCommand({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: isOn },
  });

/** Does what the doctor says to type, of a stack that was deployed once and of tables that the emulator has made. */
export const follow = async (access: Access, findings: readonly Finding[]) => {
  const dynamoDb = new DynamoDBClient(access);
  const cloudFormation = new CloudFormationClient(access);
  const cures: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'cloudformation update-termination-protection --enable-termination-protection --stack-name': (StackName) =>
      cloudFormation.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: true })),
    'dynamodb update-table --deletion-protection-enabled --table-name': (TableName) =>
      dynamoDb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })),
    'dynamodb update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --table-name':
      (name) => dynamoDb.send(setRecovery(name, true)),
    'dynamodb update-time-to-live --time-to-live-specification Enabled=true,AttributeName=expiresAt --table-name': (
      TableName,
    ) => {
      const specification = { Enabled: true, AttributeName: 'expiresAt' };
      return dynamoDb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: specification }));
    },
  };
  for (const { what, remedy } of findings) {
    const [, command = '', name = ''] = /^aws (.+) (\S+) --region \S+$/.exec(remedy) ?? [];
    const cure = cures[command];
    assert.ok(cure, `Not to be expected: ${what}`);
    await cure(name);
  }
};
