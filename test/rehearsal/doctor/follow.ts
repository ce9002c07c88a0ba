import assert from 'node:assert/strict';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { Access } from './access.ts';
import type { Finding } from './ask.ts';

/** Does what the doctor says to type, of a stack that was deployed once: it is not protected yet. */
export const follow = async (access: Access, findings: readonly Finding[]) => {
  const dynamoDb = new DynamoDBClient(access);
  const cloudFormation = new CloudFormationClient(access);
  const cures: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'cloudformation update-termination-protection --enable-termination-protection --stack-name': (StackName) =>
      cloudFormation.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: true })),
    'dynamodb update-table --deletion-protection-enabled --table-name': (TableName) =>
      dynamoDb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })),
  };
  for (const { what, remedy } of findings) {
    const [, command = '', name = ''] = /^aws (.+) (\S+) --region \S+$/.exec(remedy) ?? [];
    const cure = cures[command];
    assert.ok(cure, `Not to be expected: ${what}`);
    await cure(name);
  }
};
