import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { campaignsTable } from '../../functions/campaigns/campaign.ts';
import { contactStore } from '../../functions/contacts/store.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';
import { tokensTable } from '../../functions/tokens/token.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { addCampaign } from '../../lib/staff/campaign-table.ts';
import { issueToken } from '../../lib/staff/token-table.ts';
import { contact } from '../contact.ts';
import { withDynalite } from '../store.ts';

/** As many as a page of the list has. */
const contacts = 50;

/** The items of a table, as DynamoDB sends them. */
export const storedItems = v.record(v.string(), v.array(v.record(v.string(), v.record(v.string(), v.unknown()))));

export type StoredItems = v.InferOutput<typeof storedItems>;

/** What the store holds, by the name of the table, and a token that it knows. */
export interface Stored {
  readonly items: StoredItems;
  readonly token: string;
}

/** Writes what the functions read, as the service and the staff command write it, and looks how it is stored. */
export const fillStore = (): Promise<Stored> =>
  withDynalite(async () => {
    // It makes its client as it is loaded, and the client knows then where its store is.
    const { createTable } = await import('../../test/support/tables.ts');
    const client = createDocumentClient();
    const bare = new DynamoDBClient();
    const tables = {
      contacts: await createTable(contactsTable, 'contacts'),
      campaigns: await createTable(campaignsTable, 'campaigns'),
      tokens: await createTable(tokensTable, 'tokens'),
    };
    const store = contactStore(client, tables.contacts);
    for (let index = 0; index < contacts; index += 1) {
      await store.create({ fields: contact, spam: false, createdAt: new Date(index * 1000) });
    }
    for (const name of ['Newsletter', 'Spring sale', 'Trade fair']) {
      await addCampaign({ client, table: tables.campaigns }, name);
    }
    const { token } = await issueToken(
      { client, table: tables.tokens },
      { name: 'bench', permissions, now: new Date() },
    );
    const items: StoredItems = {};
    for (const table of Object.values(tables)) {
      const { Items } = await bare.send(new ScanCommand({ TableName: table }));
      items[table] = v.parse(
        v.array(v.record(v.string(), v.record(v.string(), v.unknown()))),
        JSON.parse(JSON.stringify(Items)),
      );
    }
    return { items, token };
  });
