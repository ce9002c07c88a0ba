import { Option } from 'commander';
import * as v from 'valibot';
import type { ContactRange } from '../../../functions/contacts/contact-store.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { time } from './options.ts';
import type { StaffEnvironment } from './staff-environment.ts';

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
