import type { InferOutput, ObjectSchema } from 'valibot';
import { campaignKeys, readCampaigns } from '../../../functions/campaigns/manage-campaigns.ts';
import type { Contact } from '../../../functions/contacts/contact.ts';
import type { ContactRange } from '../../../functions/contacts/contact-store.ts';
import { selectedBy } from '../../../functions/contacts/selection.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { rangeOf, type selection } from '../tool/contact-filters.ts';
import { readPerson, searchFor } from './person.ts';

/** The options of a command that select contact requests. */
export type SelectionOptions = Readonly<InferOutput<ObjectSchema<typeof selection, undefined>>>;

export interface SelectedContacts {
  /** Leaves out what has expired. */
  readonly range: ContactRange;
  /** Whether a contact request of the range is selected; absent if all are. */
  readonly keeps?: ((contact: Contact) => boolean) | undefined;
  /** The same for an item that is unreadable. It is of no person. */
  readonly keepsUnreadable: (item: Readonly<Record<string, unknown>>) => boolean;
  /** The given campaign, if no campaign has that id or name. It may be a text that a form sent. */
  readonly unknownCampaign?: string | undefined;
}

/** What forms send of a campaign: its id or current name, or a text that is neither. */
const textsOfCampaign = async ({ tables }: StaffEnvironment, campaign: string, io: CommandIo) => {
  const campaigns = await readCampaigns(tables.campaigns, sayUnreadable(io, 'campaign'));
  const key = campaignKeys(campaigns)(campaign);
  const found = campaigns.find(({ id }) => id === key);
  return found ? { texts: [found.id, found.name] } : { texts: [campaign], unknownCampaign: campaign };
};

/**
 * What the options select.
 * @throws {StaffError} if the range is empty, or the input names no person
 */
export const selectContacts = async (
  environment: StaffEnvironment,
  options: SelectionOptions,
  io: CommandIo,
): Promise<SelectedContacts> => {
  const { site, form, campaign } = options;
  const range = rangeOf(environment, options);
  const person = await readPerson(options, io);
  const { texts, unknownCampaign } = campaign === undefined ? {} : await textsOfCampaign(environment, campaign, io);
  const isFromSource = selectedBy({ site, form, campaign: texts });
  const isAnyone = person.email === undefined && person.phone === undefined;
  const { tracesIn } = searchFor(person);
  return {
    range,
    keeps: isAnyone ? isFromSource : (contact) => (isFromSource?.(contact) ?? true) && tracesIn(contact).length > 0,
    keepsUnreadable: (item) => isAnyone && (isFromSource?.(item) ?? true),
    unknownCampaign,
  };
};
