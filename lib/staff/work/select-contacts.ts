import type { InferOutput, ObjectSchema } from 'valibot';
import { campaignKeys, readCampaigns } from '../../../functions/campaigns/manage-campaigns.ts';
import type { Contact } from '../../../functions/contacts/contact.ts';
import type { ContactRange } from '../../../functions/contacts/contact-store.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { rangeOf, type selection } from '../tool/contact-filters.ts';
import { readPerson, searchFor } from './person.ts';

/** The options of a command that select contact requests. */
export type SelectionOptions = Readonly<InferOutput<ObjectSchema<typeof selection, undefined>>>;

/** A contact request. What is no text is unreadable. */
interface FromSource {
  readonly id: string;
  readonly site?: unknown;
  readonly form?: unknown;
  readonly campaign?: unknown;
}

export interface Selection {
  /** Leaves out what has expired. */
  readonly range: ContactRange;
  /** Whether a contact request of the range is selected; absent if all are. */
  readonly keeps?: ((contact: Contact) => boolean) | undefined;
  /** The same for an item that is unreadable. It is of no person. */
  readonly keepsUnreadable: (item: FromSource) => boolean;
  /** The given campaign, if no campaign has that id or name. It may be a text that a form sent. */
  readonly unknownCampaign?: string | undefined;
}

/** Keeps what comes from the campaign, by its id or current name, or by the text itself. */
const campaignFilter = async ({ tables }: StaffEnvironment, campaign: string, io: CommandIo) => {
  const campaigns = await readCampaigns(tables.campaigns, sayUnreadable(io, 'campaign'));
  const keyOf = campaignKeys(campaigns);
  const key = keyOf(campaign);
  return {
    isOfCampaign: (sent: unknown) => typeof sent === 'string' && keyOf(sent) === key,
    unknownCampaign: campaigns.some(({ id }) => id === key) ? undefined : campaign,
  };
};

/**
 * What the options select.
 * @throws {StaffError} if the range is empty, or the input names no person
 */
export const selectContacts = async (
  environment: StaffEnvironment,
  options: SelectionOptions,
  io: CommandIo,
): Promise<Selection> => {
  const { site, form, campaign } = options;
  const range = rangeOf(environment, options);
  const person = await readPerson(options, io);
  const { isOfCampaign = () => true, unknownCampaign } =
    campaign === undefined ? {} : await campaignFilter(environment, campaign, io);
  const isFromSource = (item: FromSource) =>
    (site === undefined || item.site === site) &&
    (form === undefined || item.form === form) &&
    isOfCampaign(item.campaign);
  const isAnyone = person.email === undefined && person.phone === undefined;
  const { tracesIn } = searchFor(person);
  const selectsAll = isAnyone && site === undefined && form === undefined && campaign === undefined;
  return {
    range,
    keeps: selectsAll ? undefined : (contact) => isFromSource(contact) && (isAnyone || tracesIn(contact).length > 0),
    keepsUnreadable: (item) => isAnyone && isFromSource(item),
    unknownCampaign,
  };
};
