import { DescribeTimeToLiveCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { type Check, wrong } from '../check.ts';

/** As lib/infrastructure/tables.ts names it. */
const attribute = 'expiresAt';

/** Whether DynamoDB deletes contact requests whose time is over. */
export const expiry: Check = {
  name: 'expiry',
  actions: ['dynamodb:DescribeTimeToLive'],
  look: async ({ tables: { contacts }, client, aws }) => {
    const answer = await client(DynamoDBClient)
      .send(new DescribeTimeToLiveCommand({ TableName: contacts }))
      .catch((error: unknown) => {
        // The check of tables says so.
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      });
    if (!answer) return [];
    const { TimeToLiveStatus: status, AttributeName: by } = answer.TimeToLiveDescription ?? {};
    if (by === attribute && (status === 'ENABLED' || status === 'ENABLING')) return [];
    return [
      wrong(
        'DynamoDB does not delete contact requests whose time is over.',
        aws(
          `dynamodb update-time-to-live --time-to-live-specification Enabled=true,AttributeName=${attribute} --table-name ${contacts}`,
        ),
      ),
    ];
  },
};
