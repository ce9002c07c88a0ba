import { DescribeContinuousBackupsCommand, DynamoDBClient, TableNotFoundException } from '@aws-sdk/client-dynamodb';
import { type Check, wrong } from '../check.ts';

/** Whether each table can be restored to any second of the last weeks. */
export const backups: Check = {
  name: 'backups',
  actions: ['dynamodb:DescribeContinuousBackups'],
  look: async ({ tables, client, aws }) => {
    const dynamoDb = client(DynamoDBClient);
    const isOn = async (table: string) => {
      try {
        const answer = await dynamoDb.send(new DescribeContinuousBackupsCommand({ TableName: table }));
        const { PointInTimeRecoveryDescription: recovery } = answer.ContinuousBackupsDescription ?? {};
        return recovery?.PointInTimeRecoveryStatus === 'ENABLED';
      } catch (error) {
        // The check of tables says so.
        if (error instanceof TableNotFoundException) return true;
        throw error;
      }
    };
    const findings = Object.entries(tables).map(async ([name, table]) =>
      (await isOn(table))
        ? []
        : [
            wrong(
              `The table of ${name} cannot be restored to a point in time.`,
              aws(
                `dynamodb update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --table-name ${table}`,
              ),
            ),
          ],
    );
    return (await Promise.all(findings)).flat();
  },
};
