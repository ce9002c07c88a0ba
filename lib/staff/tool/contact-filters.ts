import { Option } from 'commander';
import * as v from 'valibot';
import type { ContactRange } from '../../../functions/contacts/contact-store.ts';
import { siteOrigin } from '../../../functions/contacts/selection.ts';
import { nameOfForm } from '../../infrastructure/schemas.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import { campaignName, flag, person, time } from './options.ts';

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

export const emailOption = new Option(
  '--email <address>',
  'email address, in upper or lower case; - to be asked for it, or to read it from standard input',
);
export const phoneOption = new Option(
  '--phone <number>',
  'phone number, of which only the digits count; - to be asked for it, or to read it from standard input',
);

/** The options that select contact requests, the same in each command. */
export const selection = { ...range, spam: flag, ...source, ...person };

export const selectionOptions: readonly Option[] = [
  sinceOption,
  untilOption,
  new Option('--spam', 'only contact requests marked as spam'),
  new Option('--site <origin>', 'only from this site, such as https://www.example.com'),
  new Option('--form <name>', 'only from the form with this name, in any case'),
  new Option('--campaign <id|name>', 'only from this campaign, by its id or current name'),
  emailOption,
  phoneOption,
];
