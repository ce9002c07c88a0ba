import { isBlank, line } from '../shared/text.ts';
import type { SentField } from './candidate.ts';
import { firstOf } from './find.ts';
import { formFields } from './service-fields.ts';
import { spell } from './spelling.ts';

/** What the languages call a campaign, as `spell` leaves it. */
const inOtherLanguages =
  'kampagne campagne campagna campana campanha kampanj kampanja kampania kampan kampany campanie kampanya kampanye';

/** As `spell` leaves them. Of several, the first counts. */
const names: readonly string[] = [...formFields.campaign.map(spell), ...inOtherLanguages.split(' ')];

/** Words before the name that say nothing. */
const leading = /^(?:form|fields|field|your)+(?=.)/;

/** Longer names are no campaign's. */
const maxLength = 32;

const rankOf = (name: string): number =>
  name.length > maxLength ? -1 : names.indexOf(spell(name).replace(leading, ''));

/** Whether a field is for the campaign. */
export const isCampaign = (name: string): boolean => rankOf(name) !== -1;

const campaignText = line(200);

interface FoundCampaign {
  /** Absent if no field holds one. */
  readonly campaign?: string;
  /** Everything else. */
  readonly others: readonly SentField[];
}

/** Finds the campaign that the form names. What fits no campaign is a field like any other. */
export const findCampaign = (sent: readonly SentField[]): FoundCampaign => {
  const candidates = firstOf(sent)
    .map(([name, value]) => ({ name, value, rank: rankOf(name) }))
    .filter(({ rank, value }) => rank !== -1 && !isBlank(value))
    .toSorted((one, other) => one.rank - other.rank);
  for (const { name, value } of candidates) {
    const text = campaignText(value);
    if ('value' in text) return { campaign: text.value, others: sent.filter(([other]) => other !== name) };
  }
  return { others: sent };
};
