import { campaignsPartition, campaignsTable } from '../../../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../../../functions/contacts/table.ts';
import { tokensTable } from '../../../../functions/tokens/token.ts';

const { inbox, spam } = contactsTable.listPartitions;

const isOfContacts = (partition: string) => partition === inbox || partition === spam;

/** The tables of an environment by what they hold: their key and their list's index, and in which list partition nothing of theirs is. */
export const kinds = {
  contacts: {
    noun: 'contact request',
    partitionKey: contactsTable.partitionKey,
    index: contactsTable.listIndex.name,
    isForeign: (partition: string) => partition === campaignsPartition,
  },
  campaigns: {
    noun: 'campaign',
    partitionKey: campaignsTable.partitionKey,
    index: campaignsTable.listIndex.name,
    isForeign: isOfContacts,
  },
  tokens: {
    noun: 'token',
    partitionKey: tokensTable.partitionKey,
    index: tokensTable.listIndex.name,
    isForeign: () => false,
  },
} as const;

export type Kind = keyof typeof kinds;

export const kindNames = ['contacts', 'campaigns', 'tokens'] as const satisfies readonly Kind[];
