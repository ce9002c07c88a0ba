import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  StreamViewType,
  TableClass,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { type TableId, tableDefinitions } from '../shared/environment-tables.ts';
import type { Environment } from './settings.ts';

/** The actions that functions can be granted. Scan is none of them. */
export type TableAction = 'DeleteItem' | 'GetItem' | 'PutItem' | 'Query' | 'UpdateItem';

/** The attributes that an action can read or write. */
export type ActionAttributes = Readonly<Partial<Record<TableAction, readonly string[]>>>;

interface TablesProps {
  readonly environment: Environment;
  /** The tables resist deletion. */
  readonly deletionProtection: boolean;
}

/**
 * The three tables: each has a key, and an index for its list. DynamoDB encrypts them with its own key, and accepts only TLS.
 */
export class Tables extends Construct implements Record<TableId, TableV2> {
  readonly contacts: TableV2;
  readonly campaigns: TableV2;
  readonly tokens: TableV2;

  constructor(scope: Construct, id: string, { environment, deletionProtection }: TablesProps) {
    super(scope, id);
    const { retainData, existingTables, notifications, files } = environment;
    const table = (name: string, id: TableId, props: Partial<TablePropsV2> = {}) => {
      const { partitionKey, listIndex } = tableDefinitions[id];
      return new TableV2(this, name, {
        partitionKey: { name: partitionKey, type: AttributeType.STRING },
        globalSecondaryIndexes: [
          {
            indexName: listIndex.name,
            partitionKey: { name: listIndex.partitionKey, type: AttributeType.STRING },
            sortKey: { name: listIndex.sortKey, type: AttributeType.STRING },
          },
        ],
        billing: Billing.onDemand(),
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
        deletionProtection,
        // A failed first deployment deletes its empty tables, since the next one creates new ones.
        removalPolicy: retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
        ...(existingTables && {
          // CloudFormation imports a table by its name:
          // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
          tableName: existingTables[id],
          // Existing tables already hold data.
          deletionProtection: true,
          removalPolicy: RemovalPolicy.RETAIN,
        }),
        ...props,
      });
    };
    this.contacts = table('Contacts', 'contacts', {
      // Contact requests are written once and rarely read: this class is cheaper from the second month on.
      tableClass: TableClass.STANDARD_INFREQUENT_ACCESS,
      // Always set, so that `retentionDays` changes no table.
      timeToLiveAttribute: 'expiresAt',
      ...((notifications || files) && { dynamoStream: StreamViewType.NEW_IMAGE }),
    });
    this.campaigns = table('Campaigns', 'campaigns');
    this.tokens = table('Tokens', 'tokens');
  }
}
