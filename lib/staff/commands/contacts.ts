import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { Definers } from '../tool/command.ts';
import { emailOption, phoneOption, selection, selectionOptions, source } from '../tool/contact-filters.ts';
import { flag, idIn, limit, person } from '../tool/options.ts';

const yesOption = new Option('--yes', 'do not ask first');

const contactId = idIn('contacts list');

const exampleId = '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10';

export const addContactCommands = (program: Command, { reads, writes }: Definers): void => {
  const contacts = program.command('contacts').description('Read, export, release, answer and delete contact requests');

  reads(contacts, 'list', {
    description:
      'Lists contact requests, newest first. To read a whole contact request, run "contacts show" with its id. Spam has a list of its own: to see it, add --spam.',
    examples: ['contacts list --since 7d --env prod', 'contacts list --spam --site https://www.example.com'],
    options: [...selectionOptions, new Option('--limit <number>', 'maximum number of results (default: all)')],
    values: v.object({ ...selection, limit: v.optional(limit) }),
    run: async (environment, options, io) => {
      const { listContacts } = await import('../work/list-contacts.ts');
      return listContacts(environment, options, io);
    },
  });

  reads(contacts, 'show <id>', {
    description:
      'Shows a contact request with all its fields, when it expires, and whether it is spam, and why. To see the ids, run "contacts list".',
    examples: [`contacts show ${exampleId}`],
    values: v.object({ id: contactId }),
    run: async (environment, { id }) => {
      const { showContact } = await import('../work/contact-by-id.ts');
      return showContact(environment, id);
    },
  });

  reads(contacts, 'files <id>', {
    description:
      'Lists the files of a contact request, and whether they are scanned. With --output, writes them into a folder, where only you can read them. It overwrites nothing: if a name is taken, the file gets a number. Infected files are not written. To see the ids, run "contacts list".',
    examples: [`contacts files ${exampleId}`, `contacts files ${exampleId} --output files --env prod`],
    options: [new Option('--output <folder>', 'folder to write the files into; made if it is missing')],
    values: v.object({
      id: contactId,
      output: v.optional(v.pipe(v.string(), v.nonEmpty('Must name a folder.'))),
    }),
    run: async (environment, values, io) => {
      const { contactFiles } = await import('../work/contact-files.ts');
      return contactFiles(environment, values, io);
    },
  });

  writes(contacts, 'delete [id]', {
    description:
      'Deletes one contact request, or all that the filters select, for good. With an id, it deletes that contact request at once, without asking. With filters, it shows how many it found and some of them, and deletes them if you type their number. Add --spam to delete spam, which has a list of its own. It can be stopped and repeated. Only a backup can bring contact requests back.',
    examples: [
      `contacts delete ${exampleId}`,
      'contacts delete --since 3h --form contact --env prod',
      'contacts delete --spam --since 30d --env prod',
    ],
    options: [...selectionOptions, yesOption],
    values: v.pipe(
      v.object({ id: v.optional(contactId), ...selection }),
      v.check(({ id, spam, ...filters }) => {
        const hasFilter = Object.values(filters).some((filter) => filter !== undefined);
        return id === undefined ? hasFilter : !(spam || hasFilter);
      }, 'Give an id to delete one contact request, or at least one of --since, --until, --site, --form, --campaign, --email and --phone to delete many.'),
    ),
    run: async (environment, { id, ...options }, io) => {
      if (id === undefined) {
        const { deleteSelected } = await import('../work/delete-contacts.ts');
        return deleteSelected(environment, options, io);
      }
      const { deleteContact } = await import('../work/contact-by-id.ts');
      return deleteContact(environment, id);
    },
  });

  writes(contacts, 'release <id...>', {
    description:
      'Releases contact requests from spam: they move to the normal list, and notifications of them are sent. What staff have marked goes back to its old place, and nobody is notified. To see the ids, run "contacts list --spam".',
    examples: [`contacts release ${exampleId}`],
    values: v.object({ id: v.array(contactId) }),
    run: async (environment, { id: ids }) => {
      const { releaseContacts } = await import('../work/contact-by-id.ts');
      return releaseContacts(environment, ids);
    },
  });

  writes(contacts, 'answered <id...>', {
    description:
      'Notes that contact requests are answered, for all who look at the inbox; nobody is notified. With --undo, notes that they are not. To see who has answered, run "contacts show".',
    examples: [`contacts answered ${exampleId}`, `contacts answered ${exampleId} --undo --env prod`],
    options: [new Option('--undo', 'they are not answered')],
    values: v.object({ id: v.array(contactId), undo: flag }),
    run: async (environment, { id: ids, undo }) => {
      const { answerContacts } = await import('../work/contact-by-id.ts');
      return answerContacts(environment, ids, undo);
    },
  });

  reads(contacts, 'export', {
    description:
      'Writes contact requests as CSV or JSON lines, newest first. A CSV file is safe to open in a spreadsheet. It has a column for each of the 100 most frequent extra fields, and the rest as JSON in the last column. With --email or --phone, writes only the contact requests of that person, whose address or number it looks for in every field except the message, and in the names of extra fields.',
    examples: [
      'contacts export --since 30d --output contacts.csv',
      'contacts export --email - --format jsonl --env prod',
    ],
    options: [
      ...selectionOptions,
      new Option('--format <csv|jsonl>', 'CSV for spreadsheets, or one JSON object a line for programs').default(
        'csv',
        'csv',
      ),
      new Option(
        '--separator <character>',
        'what separates the cells of CSV: , or ; as Excel expects it where numbers have a comma',
      ).default(',', ','),
      new Option(
        '--output <file>',
        'file to create or replace, which only you can read; - for standard output (default: -)',
      ),
    ],
    values: v.object({
      ...selection,
      format: v.picklist(['csv', 'jsonl'], 'Must be csv or jsonl.'),
      separator: v.picklist([',', ';'], 'Must be , or ;'),
      output: v.optional(
        v.pipe(
          v.string(),
          v.nonEmpty('Must name a file.'),
          v.transform((file) => (file === '-' ? undefined : file)),
        ),
      ),
    }),
    hasJson: false,
    run: async (environment, options, io) => {
      const { exportContacts } = await import('../work/export.ts');
      return exportContacts(environment, options, io);
    },
  });

  writes(contacts, 'erase', {
    description:
      'Deletes every contact request of a person for good, also spam. It looks for the address or number in every field except the message, and in the names of extra fields. It says how many contact requests it found, and asks before it deletes them. Then it prints a receipt without personal data: keep it as a proof. With "--email -", you type the address when it asks, so that the history of your shell does not hold it.',
    examples: ['contacts erase --email - --env prod'],
    options: [emailOption, phoneOption, yesOption],
    values: v.pipe(
      v.object(person),
      v.check(({ email, phone }) => email !== undefined || phone !== undefined, 'Give --email, --phone or both.'),
    ),
    run: async (environment, person, io) => {
      const { erasePerson } = await import('../work/erase.ts');
      return erasePerson(environment, person, io);
    },
  });

  writes(contacts, 'apply-retention', {
    description:
      'Applies a changed retentionDays to contact requests that are already stored. Deploy the changed setting first. Contact requests older than that expire at once, and are deleted for good. If you removed the setting, contact requests no longer expire. A form with a retentionDays of its own keeps that. It asks before it changes anything.',
    examples: ['contacts apply-retention --env prod', 'contacts apply-retention --form applications --env prod'],
    options: [new Option('--form <name>', 'only from the form with exactly this name, as in the settings'), yesOption],
    values: v.object({ form: source.form }),
    run: async (environment, { form }, io) => {
      const { applyRetention } = await import('../work/retention.ts');
      return applyRetention(environment, form, io);
    },
  });
};
