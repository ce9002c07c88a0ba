import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { campaignsTable } from '../functions/campaigns/table.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { tokensTable } from '../functions/tokens/table.ts';

interface TableKeys {
  readonly partitionKey: string;
  readonly listIndex: { readonly name: string; readonly partitionKey: string; readonly sortKey: string };
}

export interface TablesProps {
  /** Whether the data outlive the stack and resist deletion. */
  readonly retainData: boolean;
}

/** The three tables: each a key and one index that its list reads. */
export class Tables extends Construct {
  readonly contacts: TableV2;
  readonly campaigns: TableV2;
  readonly tokens: TableV2;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const table = (name: string, { partitionKey, listIndex }: TableKeys) =>
      new TableV2(this, name, {
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
        deletionProtection: props.retainData,
        removalPolicy: props.retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      });
    this.contacts = table('Contacts', contactsTable);
    this.campaigns = table('Campaigns', campaignsTable);
    this.tokens = table('Tokens', tokensTable);
  }
}
