import { Option } from 'commander';
import * as v from 'valibot';
import type { ContactRange } from '../../../functions/contacts/contact-store.ts';
import { selectedBy, siteOrigin } from '../../../functions/contacts/selection.ts';
import { nameOfForm } from '../../infrastructure/schemas.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import { type CommandIo, sayUnreadable } from './command-io.ts';
import { campaignName, time } from './options.ts';

/** The options that bound when contact requests entered their list. */
export const range = { since: v.optional(time), until: v.optional(time) };

export const sinceOption = new Option(
  '--since <time>',
  'only what arrived since an age such as 7d or 12h, a date such as 2026-01-31 (UTC), or a time such as 2026-01-31T12:00:00Z',
);
export const untilOption = new Option('--until <time>', 'only what arrived before that time, written as for --since');

interface RangeOptions extends Readonly<v.InferOutput<v.ObjectSchema<typeof range, undefined>>> {
  /** @defaultValue not spam */
  readonly spam?: boolean;
}

/** @throws {StaffError} if the range is empty */
export const rangeOf = (environment: StaffEnvironment, options: RangeOptions): ContactRange => {
  const now = environment.now();
  const since = options.since?.(now);
  const until = options.until?.(now);
  if (since !== undefined && until !== undefined && until <= since) {
    throw new StaffError('--until must be later than --since.');
  }
  return { since, until, spam: options.spam ?? false, now };
};

/** The options that say where contact requests come from. */
export const source = {
  site: v.optional(siteOrigin),
  form: v.optional(nameOfForm),
  campaign: v.optional(campaignName),
};

type Source = v.InferOutput<v.ObjectSchema<typeof source, undefined>>;

/** What forms send of a campaign: its id or current name, or a text that is neither. */
const textsOfCampaign = async ({ tables }: StaffEnvironment, campaign: string, io: CommandIo) => {
  // This module loads the SDK, which --help does not need.
  const { campaignKeys, readCampaigns } = await import('../../../functions/campaigns/manage-campaigns.ts');
  const campaigns = await readCampaigns(tables.campaigns, sayUnreadable(io, 'campaign'));
  const key = campaignKeys(campaigns)(campaign);
  const found = campaigns.find(({ id }) => id === key);
  return found ? { texts: [found.id, found.name] } : { texts: [campaign], unknownCampaign: campaign };
};

export interface SourceFilter {
  /** Keeps what a site, a form or a campaign sent, in any case; absent if none is given. */
  readonly keeps?: ReturnType<typeof selectedBy>;
  /** The given campaign, if no campaign has that id or name. It may be a text that a form sent. */
  readonly unknownCampaign?: string | undefined;
}

export const sourceFilter = async (
  environment: StaffEnvironment,
  { site, form, campaign }: Source,
  io: CommandIo,
): Promise<SourceFilter> => {
  const { texts, unknownCampaign } = campaign === undefined ? {} : await textsOfCampaign(environment, campaign, io);
  return { keeps: selectedBy({ site, form, campaign: texts }), unknownCampaign };
};

export const siteOption = new Option('--site <origin>', 'only from this site, such as https://www.example.com');
export const formOption = new Option('--form <name>', 'only from the form with this name, in any case');
export const campaignOption = new Option('--campaign <id|name>', 'only from this campaign, by its id or current name');
