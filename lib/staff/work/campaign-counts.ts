import { campaignKeys, readCampaigns } from '../../../functions/campaigns/manage-campaigns.ts';
import { storedContact } from '../../../functions/contacts/contact.ts';
import type { ContactRange } from '../../../functions/contacts/contact-store.ts';
import { readContacts } from '../../../functions/contacts/manage-contacts.ts';
import { count, formatNumber } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { countFrequent } from './frequent.ts';

/** A campaign, or a text that a form sent and that is no campaign's id or name, with the contact requests that have it. */
interface Counted {
  /** Absent if there is no such campaign. */
  readonly id?: string;
  readonly name: string;
  count: number;
}

/**
 * Counts contact requests by the campaign that they come from: each campaign, and each text that is none, most first. In a flood
 * of texts, it leaves out rare ones.
 */
export const countByCampaign = async (
  { tables }: StaffEnvironment,
  range: ContactRange,
  io: CommandIo,
): Promise<Result> => {
  const campaigns = await readCampaigns(tables.campaigns, sayUnreadable(io, 'campaign'));
  const keyOf = campaignKeys(campaigns);
  const rows = new Map<string, Counted>(campaigns.map((campaign) => [campaign.id, { ...campaign, count: 0 }]));
  const others = countFrequent();
  let read = 0;
  let without = 0;

  using progress = io.progress('contact request', 'read');
  const options = { schema: storedContact, leaveOut: sayUnreadable(io, 'contact request'), signal: io.signal };
  for await (const page of readContacts(tables.contacts, range, options)) {
    for (const { campaign: text } of page) {
      if (text === undefined) {
        without += 1;
        continue;
      }
      const row = rows.get(keyOf(text));
      if (row) row.count += 1;
      else others.add(text);
    }
    read += page.length;
    progress.report(read);
  }

  // Of several spellings, the row has the one that most sent.
  for (const [text, amount] of [...others.counts].toSorted(([, one], [, other]) => other - one)) {
    const row = rows.get(keyOf(text));
    if (row) row.count += amount;
    else rows.set(keyOf(text), { name: text, count: amount });
  }
  const sorted = [...rows.values()].toSorted((one, other) => other.count - one.count);
  return {
    json: [sorted],
    text: {
      heads: ['COUNT', 'ID', 'NAME'],
      rows: [sorted.map(({ id = '', name, count: amount }) => [formatNumber(amount), id, name])],
    },
    note: () => `Counted ${count(read, 'contact request')}, ${formatNumber(without)} of them without a campaign.`,
  };
};
