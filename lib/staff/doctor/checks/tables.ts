import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { type Check, type Finding, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

const lookAt = async (deployment: Deployment, name: string, table: string): Promise<Finding[]> => {
  const { settings, notifications, client, aws } = deployment;
  const told = await client(DynamoDBClient)
    .send(new DescribeTableCommand({ TableName: table }))
    .catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
  const found = told?.Table;
  if (!found) return [wrong(`The table of ${name}, ${table}, is not there.`, 'docs/operation.md#restore-data')];
  const {
    TableStatus: status = 'unknown',
    DeletionProtectionEnabled: isProtected,
    StreamSpecification: stream,
  } = found;
  const findings: Finding[] = [];
  if (!['ACTIVE', 'UPDATING'].includes(status)) {
    findings.push(
      wrong(
        `The table of ${name}, ${table}, is in the state ${status}.`,
        aws(`dynamodb describe-table --table-name ${table}`),
      ),
    );
  }
  if (settings.retainData && !isProtected) {
    findings.push(
      wrong(
        `The table of ${name} has no deletion protection, although the environment retains its data.`,
        aws(`dynamodb update-table --deletion-protection-enabled --table-name ${table}`),
      ),
    );
  }
  if (name === 'contacts' && notifications && !stream?.StreamEnabled) {
    findings.push(
      wrong('The table of contacts has no stream, so that nobody is told.', 'docs/operation.md#restore-data'),
    );
  }
  return findings;
};

/** Whether the tables are there, cannot be deleted by mistake, and tell what is new. */
export const tables: Check = {
  name: 'tables',
  actions: ['dynamodb:DescribeTable'],
  look: async (deployment) => {
    const all = Object.entries(deployment.tables).map(([name, table]) => lookAt(deployment, name, table));
    return (await Promise.all(all)).flat();
  },
};
