import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableNames } from '../../infrastructure/outputs.ts';

/** One table. */
export interface StaffTable {
  readonly client: DynamoDBDocumentClient;
  /** Its name. */
  readonly table: string;
}

/** The tables of an environment: where they are, and their names. */
export interface StaffTables extends TableNames {
  readonly client: DynamoDBDocumentClient;
  /** Days after which contact requests are deleted. @defaultValue never */
  readonly retentionDays?: number | undefined;
  /** In which account and region, for people; absent on this machine. */
  readonly where?: string;
  /** The time where they are: what is written from here is listed among what is written there. */
  readonly now: () => Date;
  /** Lets go of connections and, where they were opened here, of the tables' files. */
  close(): Promise<void>;
}
