import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { DeployedSettings } from '../../infrastructure/deployed-settings.ts';

/** One table. */
export interface StaffTable {
  readonly client: DynamoDBDocumentClient;
  /** Its name. */
  readonly table: string;
}

/** The tables of an environment: where they are, and their names. */
export interface StaffTables extends TableNames {
  readonly client: DynamoDBDocumentClient;
  /** Over how many partitions the list of contact requests is spread. */
  readonly listShards: number;
  /** What the stack was deployed with; nothing where it does not say so, as one of 1.0.0. */
  readonly settings?: DeployedSettings | undefined;
  /** In which account and region, for people; absent on this machine. */
  readonly where?: string;
  /** The time where they are: what is written from here is listed among what is written there. */
  readonly now: () => Date;
  /** Lets go of connections and, where they were opened here, of the tables' files. */
  close(): Promise<void>;
}

/** The outputs of lib/infrastructure/contact-service.ts that name the tables. */
const outputsSchema = v.pipe(
  v.object({ ContactsTable: v.string(), CampaignsTable: v.string(), TokensTable: v.string() }),
  v.transform((outputs) => ({
    contacts: outputs.ContactsTable,
    campaigns: outputs.CampaignsTable,
    tokens: outputs.TokensTable,
  })),
);

export type TableNames = Readonly<v.InferOutput<typeof outputsSchema>>;

/** The tables' names in a stack's outputs; nothing when one is missing. */
export const tableNamesIn = (outputs: Readonly<Record<string, string | undefined>>): TableNames | undefined => {
  const result = v.safeParse(outputsSchema, outputs);
  return result.success ? result.output : undefined;
};
