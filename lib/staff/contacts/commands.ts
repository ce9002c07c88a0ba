import * as v from 'valibot';
import { cleanText } from '../../../functions/clean-text.ts';
import { type Contact, firstField } from '../../../functions/contacts/contact.ts';
import { placeOf } from '../../../functions/contacts/store.ts';
import { flag, shownAs, time, uuid } from '../command-line/arguments.ts';
import { command } from '../command-line/command.ts';
import { writeWholeFile } from '../command-line/files.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { printTable } from '../command-line/table.ts';
import { confirm, print, withProgress } from '../command-line/terminal.ts';
import { count } from '../command-line/text.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut, watchPages } from '../tables/pages.ts';
import { type ContactRange, contactPages, eraseContacts, findContactsOf, releaseContact } from './contacts.ts';
import { exportContacts, exportFormats } from './export.ts';

const contactsOf = ({ tables }: Staff) => ({ client: tables.client, table: tables.contacts });

const columns = [
  { head: 'TIME' },
  { head: 'ID' },
  { head: 'FROM', shrinks: true },
  { head: 'SITE', shrinks: true },
  { head: 'MESSAGE', shrinks: true },
];

const rowOf = (contact: Contact) => [
  placeOf(contact),
  contact.id,
  contact[firstField] ?? contact.phone ?? '',
  contact.site ?? '',
  contact.message,
];

/** A site by its origin, in whichever way it is written. */
const site = shownAs(
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
);

/** The options that choose contact requests. */
const range = { since: time, until: time, site, spam: flag };

/** Which contact requests those options mean now. */
const rangeOf = (
  { now }: Staff,
  { since, until, ...others }: v.InferOutput<v.ObjectSchema<typeof range, undefined>>,
): ContactRange => ({ ...others, now, since: since?.(now), until: until?.(now) });

export const contactCommands = [
  command({
    name: 'contacts list',
    does: 'Lists contact requests, newest first by when they were created or released, each on a line; with --spam only those marked as spam.',
    entries: range,
    run: async (staff, chosen) => {
      const { signal } = staff;
      const pages = contactPages(contactsOf(staff), rangeOf(staff, chosen), sayLeftOut(staff, 'contact request'));
      const rows = async function* () {
        for await (const page of watchPages(pages, { signal, report: () => {} })) yield page.map(rowOf);
      };
      await printTable(staff, columns, rows());
    },
  }),

  command({
    name: 'contacts release',
    does: 'Makes a normal contact request of one that is marked as spam: it is listed as of now.',
    changes: true,
    positionals: ['id'],
    entries: { id: uuid },
    run: async (staff, { id }) => {
      await releaseContact(contactsOf(staff), id, staff.now);
      staff.stdout.write(`Released the contact request ${id}: it is no longer marked as spam.\n`);
    },
  }),

  command({
    name: 'contacts export',
    does: 'Writes contact requests, newest first, to a file or to the standard output.',
    entries: {
      ...range,
      format: shownAs('csv|jsonl', v.optional(v.picklist(exportFormats, 'Use csv or jsonl.'), 'csv')),
      output: shownAs('<file>', v.optional(v.string())),
    },
    run: async (staff, { format, output, ...chosen }) => {
      const { signal, stdout } = staff;
      const pages = contactPages(contactsOf(staff), rangeOf(staff, chosen), sayLeftOut(staff, 'contact request'));
      const write = async (report: (done: number) => void) => {
        const chunks = exportContacts(watchPages(pages, { signal, report }), format);
        await (output === undefined ? print(staff, chunks) : writeWholeFile(output, chunks));
      };
      // On a terminal that shows what is exported, progress would stand between the lines.
      if (output === undefined && stdout.isTTY) await write(() => {});
      else await withProgress(staff, ['contact request', 'exported'], write);
    },
  }),

  command({
    name: 'contacts erase',
    does: 'Deletes every contact request of an email address for good, spam too; asks first, but with --yes.',
    changes: true,
    entries: {
      email: shownAs(
        '<address>',
        v.pipe(
          v.string(),
          v.transform(cleanText),
          v.check((address) => address !== '', 'Give an email address.'),
        ),
      ),
      yes: flag,
    },
    run: async (staff, { email, yes }) => {
      const { signal, stdin, stdout } = staff;
      const contacts = contactsOf(staff);
      const ids = await withProgress(staff, ['contact request', 'read'], (report) =>
        findContactsOf(contacts, email, { signal, report }, sayLeftOut(staff, 'contact request')),
      );
      const found = count(ids.length, 'contact request');
      if (ids.length > 0 && !yes) {
        if (!stdin.isTTY) throw new StaffError(`${found} would be erased: add --yes to erase for good.`);
        if (!(await confirm(staff, `Erase ${found} of ${email} for good?`)))
          throw new StaffError('Nothing was erased.');
      }
      const erased = await withProgress(staff, ['contact request', 'erased'], (report) =>
        eraseContacts(contacts, ids, { signal, report }),
      );
      stdout.write(`Erased ${count(erased, 'contact request')} of ${email}.\n`);
    },
  }),
];
