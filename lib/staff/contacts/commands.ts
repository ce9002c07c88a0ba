import * as v from 'valibot';
import type { Contact } from '../../../functions/contacts/contact.ts';
import type { ContactRange } from '../../../functions/contacts/store.ts';
import { explained, flag, json, limit, shownAs, time, uuid } from '../command-line/arguments.ts';
import { command } from '../command-line/command.ts';
import { printJson } from '../command-line/json.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { Staff } from '../context.ts';
import { person } from './person-given.ts';

/** A site by its origin, in whichever way it is written. */
const site = explained(
  'Those that a page of this site posted, as in https://www.example.com.',
  shownAs(
    '<origin>',
    v.optional(
      v.pipe(
        v.string(),
        v.check(
          (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
          ({ input }) => `"${input}" is no site: write scheme and host, as in https://www.example.com.`,
        ),
        v.transform((text) => new URL(text).origin),
      ),
    ),
  ),
);

/** The options that choose contact requests. */
const range = {
  since: explained('Those from this time on: a time, a date, which begins in UTC, or how long ago, such as 7d.', time),
  until: explained('Those before this time.', time),
  spam: explained('Those marked as spam, and no others.', flag),
};

/**
 * Which contact requests those options mean now.
 * @throws {StaffError} when there can be none
 */
const rangeOf = ({ now }: Staff, options: v.InferOutput<v.ObjectSchema<typeof range, undefined>>): ContactRange => {
  const [since, until] = [options.since?.(now), options.until?.(now)];
  if (since !== undefined && until !== undefined && until <= since)
    throw new StaffError('--until is no later than --since: nothing lies in between.');
  return { since, until, spam: options.spam, now };
};

export const contactCommands = [
  command({
    name: 'contacts list',
    does: 'Lists contact requests, newest first by when they were created or released; with --spam only those marked as spam.',
    example: '--since 7d --site https://www.example.com --env prod',
    entries: { ...range, site, limit, json },
    run: async (staff, { site, limit, json, ...chosen }) => {
      const { listContacts } = await import('./list.ts');
      const keeps = site === undefined ? undefined : (contact: Contact) => contact.site === site;
      await listContacts(staff, rangeOf(staff, chosen), { keeps, limit, json });
    },
  }),

  command({
    name: 'contacts show',
    does: 'Shows a contact request whole: its message, every field, whether it is spam, when it expires.',
    example: '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 --env prod',
    positionals: ['id'],
    entries: { id: uuid, json },
    run: async (staff, { id, json }) => {
      const { showContact } = await import('./show.ts');
      await showContact(staff, id, json);
    },
  }),

  command({
    name: 'contacts delete',
    does: 'Deletes a contact request for good.',
    example: '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 --env prod',
    changes: true,
    positionals: ['id'],
    entries: { id: uuid, json },
    run: async (staff, { id, json }) => {
      const { deleteContact } = await import('./delete.ts');
      await deleteContact(staff.tables, id);
      if (json) await printJson(staff, { id });
      else staff.stdout.write(`Deleted the contact request ${id} for good.\n`);
    },
  }),

  command({
    name: 'contacts release',
    does: 'Makes a normal contact request of one that is marked as spam: it is listed as of now.',
    example: '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 --env prod',
    changes: true,
    positionals: ['id'],
    entries: { id: uuid, json },
    run: async (staff, { id, json }) => {
      const { releaseContact } = await import('./release.ts');
      const releasedAt = await releaseContact(staff.tables, id, staff.now);
      if (json) await printJson(staff, { id, releasedAt });
      else staff.stdout.write(`Released the contact request ${id}: it is no longer marked as spam.\n`);
    },
  }),

  command({
    name: 'contacts export',
    does: 'Writes contact requests, newest first, to a file or to the standard output; with --email or --phone those of a person. CSV is safe to open in a spreadsheet, with --bom in Excel; --raw leaves each value as it was sent.',
    example: '--since 7d --output contacts.csv --env prod',
    entries: {
      ...range,
      site,
      ...person,
      format: explained(
        'CSV, or JSON, one contact request a line.',
        shownAs('csv|jsonl', v.optional(v.picklist(['csv', 'jsonl'], 'Use csv or jsonl.'), 'csv')),
      ),
      raw: explained('Leaves each value as it was sent, formulas too.', flag),
      bom: explained('Begins with a byte order mark, as Excel wants it.', flag),
      output: explained(
        'Where to; without it, to the standard output.',
        shownAs('<file>', v.optional(v.pipe(v.string(), v.nonEmpty('Name a file.')))),
      ),
      force: explained('Takes the place of a file that is there.', flag),
    },
    mistakeIn: ({ format, raw, bom }) =>
      format === 'jsonl' && (raw || bom) ? '--raw and --bom are for --format csv.' : undefined,
    run: async (staff, { since, until, spam, ...options }) => {
      const { exportContacts } = await import('./export.ts');
      await exportContacts(staff, rangeOf(staff, { since, until, spam }), options);
    },
  }),

  command({
    name: 'contacts apply-retention',
    does: 'Gives the contact requests that are there, spam too, the expiry that the deployed retentionDays gives to new ones; without that setting none expires. Says first how many change, and how many expire at once. Asks, but with --yes.',
    example: '--env prod',
    changes: true,
    entries: { yes: explained('Changes them without a question.', flag), json },
    run: async (staff, options) => {
      const { applyRetention } = await import('./apply-retention.ts');
      await applyRetention(staff, options);
    },
  }),

  command({
    name: 'contacts erase',
    does: 'Deletes every contact request of a person for good, spam too: by an email address in any case, or a phone number by its digits, where a leading + and 00 are the same and 0 is none of them. Looks into what forms sent besides, too. Asks first, but with --yes.',
    example: '--email - --env prod',
    changes: true,
    entries: { ...person, yes: explained('Erases without a question.', flag), json },
    mistakeIn: ({ email, phone }) =>
      email === undefined && phone === undefined ? 'Name a person by --email or --phone.' : undefined,
    run: async (staff, { email, phone, ...options }) => {
      const { erasePerson } = await import('./erase.ts');
      await erasePerson(staff, { email, phone }, options);
    },
  }),
];
