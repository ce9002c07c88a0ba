import { Option } from 'commander';
import * as v from 'valibot';
import type { ContactRange } from '../../../functions/contacts/contact-store.ts';
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

/** A site, parsed to its origin. */
const site = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'Must have a scheme and a host, such as https://www.example.com.',
    ),
    v.transform((text) => new URL(text).origin),
  ),
);

/** The options that say where contact requests come from. */
export const source = { site, form: v.optional(nameOfForm), campaign: v.optional(campaignName) };

type Source = v.InferOutput<v.ObjectSchema<typeof source, undefined>>;

/** Keeps what comes from the campaign, by its id or current name, or by the text itself. */
const campaignFilter = async ({ tables }: StaffEnvironment, campaign: string, io: CommandIo) => {
  // This module loads the SDK, which --help does not need.
  const { campaignKeys, readCampaigns } = await import('../../../functions/campaigns/manage-campaigns.ts');
  const campaigns = await readCampaigns(tables.campaigns, sayUnreadable(io, 'campaign'));
  const keyOf = campaignKeys(campaigns);
  const key = keyOf(campaign);
  return {
    isOfCampaign: (sent: unknown) => typeof sent === 'string' && keyOf(sent) === key,
    unknownCampaign: campaigns.some(({ id }) => id === key) ? undefined : campaign,
  };
};

/** A contact request. What is no text is unreadable. */
interface FromSource {
  readonly site?: unknown;
  readonly form?: unknown;
  readonly campaign?: unknown;
}

export interface SourceFilter {
  /** Keeps what a site, a form or a campaign sent; absent if none is given. */
  readonly keeps?: (contact: FromSource) => boolean;
  /** The given campaign, if no campaign has that id or name. It may be a text that a form sent. */
  readonly unknownCampaign?: string | undefined;
}

export const sourceFilter = async (
  environment: StaffEnvironment,
  { site, form, campaign }: Source,
  io: CommandIo,
): Promise<SourceFilter> => {
  if (site === undefined && form === undefined && campaign === undefined) return {};
  const { isOfCampaign = () => true, unknownCampaign } =
    campaign === undefined ? {} : await campaignFilter(environment, campaign, io);
  return {
    keeps: (contact) =>
      (site === undefined || contact.site === site) &&
      (form === undefined || contact.form === form) &&
      isOfCampaign(contact.campaign),
    unknownCampaign,
  };
};

export const siteOption = new Option('--site <origin>', 'only from this site, such as https://www.example.com');
export const formOption = new Option('--form <name>', 'only from the form with this name');
export const campaignOption = new Option('--campaign <id|name>', 'only from this campaign, by its id or current name');
