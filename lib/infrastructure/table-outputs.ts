import * as v from 'valibot';

const tableNames = v.pipe(
  v.object({ ContactsTable: v.string(), CampaignsTable: v.string(), TokensTable: v.string() }),
  v.transform((outputs) => ({
    contacts: outputs.ContactsTable,
    campaigns: outputs.CampaignsTable,
    tokens: outputs.TokensTable,
  })),
);

/** What the tables of an environment are called. */
export type TableNames = Readonly<v.InferOutput<typeof tableNames>>;

/** The outputs by which a stack names its tables. */
export const toTableOutputs = ({ contacts, campaigns, tokens }: TableNames): v.InferInput<typeof tableNames> => ({
  ContactsTable: contacts,
  CampaignsTable: campaigns,
  TokensTable: tokens,
});

/** The tables' names in a stack's outputs; nothing when one is missing. */
export const tableNamesIn = (outputs: Readonly<Record<string, string | undefined>>): TableNames | undefined => {
  const result = v.safeParse(tableNames, outputs);
  return result.success ? result.output : undefined;
};
